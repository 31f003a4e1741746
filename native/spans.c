/* The parts of a mapping in the columns of a program: what `spans_of` of plait.yaml.outline says in Python. */
#include "scan.h"

typedef struct {
    PyObject *list;              /* borrowed: kinds as a list, or NULL where they are bytes */
    const unsigned char *bytes;
    Py_ssize_t count;
} Kinds;

/* The kind of a step; -1 and an exception where there is none. */
static long kind_at(const Kinds *kinds, Py_ssize_t step)
{
    long kind = -1;
    if (step >= 0 && step < kinds->count) {
        if (kinds->list == NULL) return kinds->bytes[step];
        PyObject *item = PyList_GET_ITEM(kinds->list, step);
        if (PyLong_CheckExact(item)) kind = PyLong_AsLong(item);
    }
    if (kind >= 0 && kind < 32) return kind;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the columns of a program are wrong");
    return -1;
}

/* The step after a value; -1 and an exception where it has no end. */
static Py_ssize_t end_of(const Kinds *kinds, Py_ssize_t step)
{
    Py_ssize_t depth = 0;
    do {
        long kind = kind_at(kinds, step++);
        if (kind < 0) return -1;
        if (kind == END) depth--;
        else if ((kind & ~PROPS) == MAP || (kind & ~PROPS) == SEQ) depth++;
    } while (depth > 0);
    if (depth == 0) return step;
    PyErr_SetString(PyExc_ValueError, "the columns of a program are wrong");
    return -1;
}

/* spans(kinds, texts, start): for each key of the mapping at a step, from its first step to the one after it; None unless it is a
 * mapping with plain keys, each once. */
PyObject *plait_spans(PyObject *kinds_, PyObject *texts, Py_ssize_t start)
{
    Kinds kinds = {0};
    if (PyList_CheckExact(kinds_)) {
        kinds.list = kinds_;
        kinds.count = PyList_GET_SIZE(kinds_);
    } else {
        kinds.bytes = (const unsigned char *)PyBytes_AS_STRING(kinds_);
        kinds.count = PyBytes_GET_SIZE(kinds_);
    }
    long kind = kind_at(&kinds, start);
    if (kind < 0) return NULL;
    if (kind != MAP) Py_RETURN_NONE;
    PyObject *spans = PyDict_New();
    Py_ssize_t step = start + 1;
    if (spans == NULL) return NULL;
    while ((kind = kind_at(&kinds, step)) >= 0 && kind != END) {
        PyObject *key = step < PyList_GET_SIZE(texts) ? PyList_GET_ITEM(texts, step) : Py_None;
        int known = kind > TEXT || !PyUnicode_CheckExact(key) || PyUnicode_CompareWithASCIIString(key, "<<") == 0;
        if (!known) known = PyDict_Contains(spans, key);
        if (known) {
            Py_DECREF(spans);
            return known < 0 ? NULL : Py_NewRef(Py_None);
        }
        Py_ssize_t end = end_of(&kinds, step + 1);
        PyObject *span = end < 0 ? NULL : Py_BuildValue("(nn)", step + 1, end);
        int kept = span == NULL ? -1 : PyDict_SetItem(spans, key, span);
        Py_XDECREF(span);
        if (kept < 0) goto failed;
        step = end;
    }
    if (kind >= 0) return spans;
failed:
    Py_DECREF(spans);
    return NULL;
}
