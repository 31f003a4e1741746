/* plait._native: reading, merging and printing in C. Optional, and says nothing about meaning; see docs/decisions/0060-native-reader.md. */
#include "scan.h"

static PyObject *scan(PyObject *module, PyObject *arguments)
{
    PyObject *text;
    Py_ssize_t depth;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Un:scan", &text, &depth)) return NULL;
    return plait_scan(text, depth, 0);
}

static PyObject *places(PyObject *module, PyObject *arguments)
{
    PyObject *text;
    Py_ssize_t depth;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Un:places", &text, &depth)) return NULL;
    return plait_scan(text, depth, 1);
}

static PyObject *build(PyObject *module, PyObject *arguments)
{
    (void)module;
    return plait_build(arguments);
}

static PyObject *cut(PyObject *module, PyObject *arguments)
{
    (void)module;
    return plait_cut(arguments);
}

static PyObject *prepare(PyObject *module, PyObject *arguments)
{
    (void)module;
    return plait_prepare(arguments);
}

static PyObject *emit(PyObject *module, PyObject *arguments)
{
    (void)module;
    return plait_emit(arguments);
}

static PyObject *is_word(PyObject *module, PyObject *text)
{
    (void)module;
    return plait_is_word(text);
}

static PyObject *ends_at(PyObject *module, PyObject *arguments)
{
    PyObject *text;
    Py_ssize_t at;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Un:ends_at", &text, &at)) return NULL;
    return plait_ends_at(text, at);
}

static PyObject *known_texts(PyObject *module, PyObject *const *given, Py_ssize_t count)
{
    (void)module;
    if (count != 4 || !PyList_Check(given[0]) || !PyDict_Check(given[1]) || !PyDict_Check(given[2]) || !PyList_Check(given[3])) {
        PyErr_SetString(PyExc_TypeError, "known_texts takes a list, two dictionaries and a list");
        return NULL;
    }
    return plait_known_texts(given[0], given[1], given[2], given[3]);
}

static PyObject *united(PyObject *module, PyObject *const *given, Py_ssize_t count)
{
    (void)module;
    if (count != 3 || !PyList_Check(given[0]) || !PyType_Check(given[2])) {
        PyErr_SetString(PyExc_TypeError, "union takes a list, a function and a type");
        return NULL;
    }
    return plait_union(given[0], given[1], (PyTypeObject *)given[2]);
}

static PyObject *reference(PyObject *module, PyObject *arguments)
{
    PyObject *text;
    Py_ssize_t start, end;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Unn:reference", &text, &start, &end)) return NULL;
    return plait_reference(text, start, end);
}

static PyObject *merge(PyObject *module, PyObject *const *given, Py_ssize_t count)
{
    (void)module;
    if (count != 5 || !PyList_Check(given[0]) || !PyType_Check(given[3])) {
        PyErr_SetString(PyExc_TypeError, "merge takes a list, a policy, a function and two types");
        return NULL;
    }
    return plait_merge(given[0], given[1], given[2], (PyTypeObject *)given[3], given[4]);
}

static PyObject *soon_equal(PyObject *module, PyObject *arguments)
{
    PyObject *one, *other;
    int levels;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOi:soon_equal", &one, &other, &levels)) return NULL;
    return plait_soon_equal(one, other, levels);
}

static PyObject *differing(PyObject *module, PyObject *arguments)
{
    (void)module;
    return plait_differing(arguments);
}

static PyObject *unlike(PyObject *module, PyObject *arguments)
{
    PyObject *entries, *others;
    int levels;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!i:unlike", &PyDict_Type, &entries, &PyDict_Type, &others, &levels)) return NULL;
    return plait_unlike(entries, others, levels);
}

static PyObject *spans(PyObject *module, PyObject *const *given, Py_ssize_t count)
{
    (void)module;
    if (count != 3 || !(PyList_CheckExact(given[0]) || PyBytes_CheckExact(given[0])) || !PyList_CheckExact(given[1])) {
        PyErr_SetString(PyExc_TypeError, "spans takes a list or bytes, a list and a number");
        return NULL;
    }
    Py_ssize_t start = PyNumber_AsSsize_t(given[2], PyExc_ValueError);
    return start == -1 && PyErr_Occurred() ? NULL : plait_spans(given[0], given[1], start);
}

static PyObject *split_map(PyObject *module, PyObject *arguments)
{
    (void)module;
    return plait_split_map(arguments);
}

static PyObject *written(PyObject *module, PyObject *arguments)
{
    PyObject *root, *source;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO:written", &root, &source)) return NULL;
    return plait_written(root, source);
}

static PyObject *plain_rows(PyObject *module, PyObject *arguments)
{
    (void)module;
    return plait_plain_rows(arguments);
}

static PyObject *origins(PyObject *module, PyObject *arguments)
{
    PyObject *nodes, *plain, *other;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OO:origins", &PyList_Type, &nodes, &plain, &other)) return NULL;
    return plait_origins(nodes, plain, other);
}

static PyObject *longest(PyObject *module, PyObject *arguments)
{
    PyObject *text, *rows;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UO!:longest", &text, &PyList_Type, &rows)) return NULL;
    return plait_longest(text, rows);
}

static PyObject *beside(PyObject *module, PyObject *arguments)
{
    PyObject *text, *rows, *notes, *before;
    Py_ssize_t width;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UO!O!nU:beside", &text, &PyList_Type, &rows, &PyList_Type, &notes, &width, &before)) return NULL;
    return plait_beside(text, rows, notes, width, before);
}

static PyObject *large_pages(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    plait_large_pages();
    Py_RETURN_NONE;
}

#ifdef PLAIT_LIMITS
static PyObject *limit_calls(PyObject *module, PyObject *arguments)
{
    int may_run, may_connect;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "pp:limit_calls", &may_run, &may_connect)) return NULL;
    return plait_limit_calls(may_run, may_connect);
}

static PyObject *limit_files(PyObject *module, PyObject *arguments)
{
    PyObject *reads, *writes, *runs;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!O!:limit_files", &PyList_Type, &reads, &PyList_Type, &writes, &PyList_Type, &runs)) return NULL;
    return plait_limit_files(reads, writes, runs);
}
#endif

static PyMethodDef functions[] = {
    {"scan", scan, METH_VARARGS,
     "scan(text, depth): the columns of each document, or None for a text that the Python reader has to read."},
    {"places", places, METH_VARARGS,
     "places(text, depth): the same, and where everything ends: called by plait.yaml.layout only."},
    {"build", build, METH_VARARGS, "build(...): the nodes of a document; called by plait.yaml.build only."},
    {"cut", cut, METH_VARARGS, "cut(...): the texts of some steps; called by plait.yaml.program only."},
    {"prepare", prepare, METH_VARARGS, "prepare(Scalar, ListNode, MapNode): the types that build makes."},
    {"emit", emit, METH_VARARGS, "emit(...): the lines of a container; called by plait.yaml.emit only."},
    {"is_word", is_word, METH_O, "is_word(text): whether a text is a word that every reader of YAML reads as text."},
    {"ends_at", ends_at, METH_VARARGS, "ends_at(text, at): whether a plain scalar can end at an offset."},
    {"known_texts", (PyCFunction)(void (*)(void))known_texts, METH_FASTCALL,
     "known_texts(keys, entries, table, missing): the texts that a table has for entries; missing gets the numbers of the others."},
    {"union", (PyCFunction)(void (*)(void))united, METH_FASTCALL,
     "union(group, instead, Mark): the entries of mappings, and those that several have; called by plait.merging.combine only."},
    {"reference", reference, METH_VARARGS,
     "reference(text, start, end): the reference that an expression is; called by plait.notations.dynaml.parse only."},
    {"merge", (PyCFunction)(void (*)(void))merge, METH_FASTCALL,
     "merge(group, policy, instead, Mark, Parts): plain mappings as one, and what is left to merge; called by plait.merging.combine only."},
    {"soon_equal", soon_equal, METH_VARARGS, "soon_equal(one, other, levels): called by plait.core.alike only."},
    {"differing", differing, METH_VARARGS, "differing(columns, step, others, other_step): fields; called by plait.yaml.build only."},
    {"unlike", unlike, METH_VARARGS, "unlike(entries, others, levels): keys of entries; called by plait.core.alike only."},
    {"spans", (PyCFunction)(void (*)(void))spans, METH_FASTCALL,
     "spans(kinds, texts, start): where the parts of a mapping are in the columns of a program; called by plait.yaml.outline only."},
    {"split_map", split_map, METH_VARARGS,
     "split_map(node, depth, tables, asked): the text of a map in parts that others share; called by the pages of stacks only."},
    {"written", written, METH_VARARGS,
     "written(root, source): the values of what is just written; called by plait.merging.account only."},
    {"plain_rows", plain_rows, METH_VARARGS, "plain_rows(...): values of a merge; called by plait.merging.runs only."},
    {"origins", origins, METH_VARARGS, "origins(nodes, plain, other): file and line of nodes; called by plait.core.places only."},
    {"longest", longest, METH_VARARGS, "longest(text, rows): the length of the longest of some lines; called by plait.report.margin only."},
    {"beside", beside, METH_VARARGS,
     "beside(text, rows, notes, width, before): a text with notes beside its lines; called by plait.report.margin only."},
    {"large_pages", large_pages, METH_NOARGS, "large_pages(): keep small objects in large pages from now on; called by programs only."},
#ifdef PLAIT_LIMITS
    {"limit_calls", limit_calls, METH_VARARGS,
     "limit_calls(commands, connections): refuse system calls from now on; why not, or None. See plait.access.reach."},
    {"limit_files", limit_files, METH_VARARGS,
     "limit_files(reads, writes, runs): open only what is below these paths from now on; why not, or None."},
#endif
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "Reading, merging and printing in C, where it was built.", -1, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);
    plait_prepare_words();
    if (module && PyModule_AddIntConstant(module, "INTERFACE", 16) < 0) Py_CLEAR(module);
    return module;
}
