/* The text of a map in parts that many trees share: what `split_map` of plait.fronts.stacks.answers.pages says in Python.
 *
 * Texts are found again by key and value, or by key and the identity of a node. Whatever is not found is asked for.
 */
#include "nodes.h"

typedef struct {
    PyObject *heads, *lines, *known, *begins, *ends;  /* borrowed lists, with an item for each depth */
    PyObject *between, *asked;                        /* borrowed: the text between two members; who writes a line */
    Py_ssize_t most;                                  /* the depth below which maps are not taken apart */
    PyObject *out;                                    /* owned */
} Split;

static inline PyObject *slot(PyObject *object, Py_ssize_t at)
{
    return *(PyObject **)((char *)object + at);
}

static int is_single(PyObject *node)
{
    return Py_TYPE(node) == plait_scalar_type && slot(node, plait_scalar_slots[SECRET]) == Py_False
        && slot(node, plait_scalar_slots[TAG]) == Py_None && slot(node, plait_scalar_slots[VALUE]) != NULL
        && slot(node, plait_scalar_slots[WORDS]) != NULL;
}

/* Whether a node was merged for the one who has it; -1 where an exception is set. */
static int is_own(PyObject *node)
{
    PyObject *parts = NULL;
    if (PyObject_TypeCheck(node, plait_mapping_type)) parts = slot(node, plait_mapping_slots[M_PARTS]);
    else if (PyObject_TypeCheck(node, plait_sequence_type)) parts = slot(node, plait_sequence_slots[S_PARTS]);
    return parts == NULL ? 0 : PyObject_IsTrue(parts);
}

/* The line of a single value, as a new reference; NULL without an exception where there is none yet. */
static PyObject *line_of(PyObject *key, PyObject *node, PyObject *lines)
{
    PyObject *value = slot(node, plait_scalar_slots[VALUE]), *text = slot(node, plait_scalar_slots[WORDS]);
    PyObject *word = PyUnicode_CheckExact(value) ? PyTuple_Pack(2, key, value) : PyTuple_Pack(3, key, Py_TYPE(value), text);
    PyObject *found = word == NULL ? NULL : Py_XNewRef(PyDict_GetItemWithError(lines, word));
    Py_XDECREF(word);
    return found;
}

/* The text of a node, found by its identity, as a new reference; NULL without an exception where there is none yet. */
static PyObject *text_of(PyObject *key, PyObject *node, PyObject *known)
{
    PyObject *by_node = PyDict_GetItemWithError(known, key), *identity, *pair;
    if (by_node == NULL || !PyDict_CheckExact(by_node)) return NULL;
    if ((identity = PyLong_FromVoidPtr(node)) == NULL) return NULL;
    pair = PyDict_GetItemWithError(by_node, identity);
    Py_DECREF(identity);
    if (pair == NULL) return NULL;
    if (PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2) return Py_NewRef(PyTuple_GET_ITEM(pair, 1));
    PyErr_SetString(PyExc_TypeError, "a known text is a node and its text");
    return NULL;
}

/* The keys of a map, sorted, as a new reference; NULL without an exception where they are not all texts. */
static PyObject *sorted_keys(PyObject *entries)
{
    PyObject *keys = PyDict_Keys(entries);
    for (Py_ssize_t at = 0; keys != NULL && at < PyList_GET_SIZE(keys); at++) {
        if (!PyUnicode_CheckExact(PyList_GET_ITEM(keys, at))) Py_CLEAR(keys);
    }
    if (keys != NULL && PyList_Sort(keys) < 0) Py_CLEAR(keys);
    return keys;
}

static int add(Split *self, PyObject *text)
{
    if (text != NULL && PyUnicode_CheckExact(text)) return PyUnicode_GET_LENGTH(text) ? PyList_Append(self->out, text) == 0 : 1;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a piece of a page is a text");
    return 0;
}

/* What is at this depth in one of the lists, borrowed; NULL and an exception where there is nothing of its type. */
static PyObject *at_depth(PyObject *list, Py_ssize_t depth, PyTypeObject *type)
{
    PyObject *found = depth >= 0 && depth < PyList_GET_SIZE(list) ? PyList_GET_ITEM(list, depth) : NULL;
    if (found != NULL && PyObject_TypeCheck(found, type)) return found;
    PyErr_SetString(PyExc_ValueError, "a page has nothing at this depth");
    return NULL;
}

/* A line that is written where it is not known: asked(key, node, depth, own). */
static int ask(Split *self, PyObject *key, PyObject *node, Py_ssize_t depth, int own)
{
    PyObject *number = PyLong_FromSsize_t(depth), *text = NULL;
    if (number != NULL) text = PyObject_CallFunctionObjArgs(self->asked, key, node, number, own ? Py_True : Py_False, NULL);
    Py_XDECREF(number);
    int fine = add(self, text);
    Py_XDECREF(text);
    return fine;
}

static int members(Split *self, PyObject *entries, PyObject *keys, Py_ssize_t depth);

/* A map that was merged for the one who has it, in parts. 1: it is written; 0: it is not to be split; -1: an exception is set. */
static int split(Split *self, PyObject *key, PyObject *node, Py_ssize_t depth)
{
    if (Py_TYPE(node) != plait_mapping_type || depth >= self->most) return 0;
    PyObject *entries = slot(node, plait_mapping_slots[ENTRIES]), *keys, *heads;
    if (entries == NULL || !PyDict_CheckExact(entries) || PyDict_GET_SIZE(entries) == 0) return 0;
    if ((keys = sorted_keys(entries)) == NULL) return PyErr_Occurred() ? -1 : 0;
    Py_INCREF(entries);
    int fine = (heads = at_depth(self->heads, depth, &PyDict_Type)) != NULL;
    PyObject *head = fine ? PyObject_GetItem(heads, key) : NULL;
    fine = head != NULL && add(self, head) && members(self, entries, keys, depth + 1);
    Py_XDECREF(head);
    Py_DECREF(entries);
    Py_DECREF(keys);
    return fine ? 1 : -1;
}

static int member(Split *self, PyObject *key, PyObject *node, Py_ssize_t depth)
{
    PyObject *table, *text;
    if (is_single(node)) {
        if ((table = at_depth(self->lines, depth, &PyDict_Type)) == NULL) return 0;
        text = line_of(key, node, table);
    } else {
        if ((table = at_depth(self->known, depth, &PyDict_Type)) == NULL) return 0;
        text = text_of(key, node, table);
    }
    if (text != NULL) {
        int fine = add(self, text);
        Py_DECREF(text);
        return fine;
    }
    if (PyErr_Occurred()) return 0;
    int own = is_own(node), done = own > 0 ? split(self, key, node, depth) : own;
    if (own < 0 || done < 0) return 0;
    return done || ask(self, key, node, depth, own);
}

static int members(Split *self, PyObject *entries, PyObject *keys, Py_ssize_t depth)
{
    PyObject *text = at_depth(self->begins, depth, &PyUnicode_Type);
    if (text == NULL || !add(self, text)) return 0;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(keys); at++) {
        PyObject *key = PyList_GET_ITEM(keys, at), *node = Py_XNewRef(PyDict_GetItemWithError(entries, key));
        if (node == NULL && !PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "a map changed while it was written");
        int fine = node != NULL && (at == 0 || add(self, self->between)) && member(self, key, node, depth);
        Py_XDECREF(node);
        if (!fine) return 0;
    }
    return (text = at_depth(self->ends, depth, &PyUnicode_Type)) != NULL && add(self, text);
}

/* split_map(node, depth, (heads, lines, known, begins, ends, between, most), asked): the text of the members, or None for a map that
 * only Python can write: one that is not built yet, or that has a key which is not a text. */
PyObject *plait_split_map(PyObject *arguments)
{
    Split self = {0};
    PyObject *node, *entries, *keys, *empty, *text = NULL;
    Py_ssize_t depth;
    if (!PyArg_ParseTuple(arguments, "On(O!O!O!O!O!Un)O:split_map", &node, &depth, &PyList_Type, &self.heads, &PyList_Type, &self.lines,
                          &PyList_Type, &self.known, &PyList_Type, &self.begins, &PyList_Type, &self.ends, &self.between, &self.most,
                          &self.asked)) return NULL;
    if (plait_mapping_type == NULL || Py_TYPE(node) != plait_mapping_type) Py_RETURN_NONE;
    entries = slot(node, plait_mapping_slots[ENTRIES]);
    if (entries == NULL || !PyDict_CheckExact(entries)) Py_RETURN_NONE;
    if ((keys = sorted_keys(entries)) == NULL) return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    Py_INCREF(entries);
    empty = PyUnicode_New(0, 0);
    self.out = PyList_New(0);
    if (empty != NULL && self.out != NULL && members(&self, entries, keys, depth)) text = PyUnicode_Join(empty, self.out);
    Py_XDECREF(self.out);
    Py_XDECREF(empty);
    Py_DECREF(entries);
    Py_DECREF(keys);
    return text;
}
