/* Texts that are there already: what `known_texts` of plait.yaml.texts says in Python.
 *
 * A table has, by key and by the identity of a node, that node and its text. Nothing is made here.
 */
#include "scan.h"

/* The text that a table has for one entry, as a new reference; NULL without an exception where it has none. */
static PyObject *text_of(PyObject *key, PyObject *entries, PyObject *table)
{
    PyObject *found = NULL, *by_node, *identity, *node = PyDict_GetItemWithError(entries, key);
    if (node == NULL) {
        if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
        return NULL;
    }
    if ((identity = PyLong_FromVoidPtr(node)) == NULL) return NULL;
    by_node = PyDict_GetItemWithError(table, key);
    if (by_node != NULL && PyDict_CheckExact(by_node)) {
        Py_INCREF(by_node);
        found = PyDict_GetItemWithError(by_node, identity);
        if (found != NULL) {
            found = PyTuple_CheckExact(found) && PyTuple_GET_SIZE(found) == 2 ? PyTuple_GET_ITEM(found, 1) : NULL;
            if (found == NULL) PyErr_SetString(PyExc_TypeError, "a known text is a node and its text");
            Py_XINCREF(found);
        }
        Py_DECREF(by_node);
    }
    Py_DECREF(identity);
    return found;
}

PyObject *plait_known_texts(PyObject *keys, PyObject *entries, PyObject *table, PyObject *missing)
{
    PyObject *texts = PyList_New(0);
    if (texts == NULL) return NULL;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(keys); at++) {
        PyObject *key = Py_NewRef(PyList_GET_ITEM(keys, at)), *text = text_of(key, entries, table), *number = NULL;
        Py_DECREF(key);
        if (text == NULL) {
            if (PyErr_Occurred() || (number = PyLong_FromSsize_t(at)) == NULL) goto failed;
            int kept = PyList_Append(missing, number);
            Py_DECREF(number);
            if (kept < 0) goto failed;
            text = PyUnicode_New(0, 0);
            if (text == NULL) goto failed;
        }
        int kept = PyList_Append(texts, text);
        Py_DECREF(text);
        if (kept < 0) goto failed;
    }
    return texts;
failed:
    Py_DECREF(texts);
    return NULL;
}
