/* Whether values are equal, where a look at a few levels of them tells it: what `soon_equal` of plait.core.alike says in
 * Python, for the members of two mappings or lists at once.
 *
 * The levels are few, so this recurses. Whatever is no usual node counts as different.
 */
#include "nodes.h"

static inline PyObject *slot(PyObject *object, Py_ssize_t at)
{
    return *(PyObject **)((char *)object + at);
}

/* Whether two objects are equal; -1 where an exception is set. */
static int same_object(PyObject *a, PyObject *b)
{
    if (a == NULL || b == NULL || Py_TYPE(a) != Py_TYPE(b)) return 0;
    if (a == b && !PyFloat_Check(a)) return 1;
    PyObject *said = PyObject_RichCompare(a, b, Py_EQ);
    int same = said == NULL ? -1 : PyObject_IsTrue(said);
    Py_XDECREF(said);
    return same;
}

static int same_scalar(PyObject *a, PyObject *b)
{
    int same = same_object(slot(a, plait_scalar_slots[VALUE]), slot(b, plait_scalar_slots[VALUE]));
    return same > 0 ? same_object(slot(a, plait_scalar_slots[TAG]), slot(b, plait_scalar_slots[TAG])) : same;
}

static int soon(PyObject *a, PyObject *b, int levels);

/* The entries of a mapping as a new reference: one that is not built yet builds them. */
static PyObject *entries_of(PyObject *node)
{
    PyObject *entries = slot(node, plait_mapping_slots[ENTRIES]);
    if (entries != NULL) Py_INCREF(entries);
    else entries = PyObject_GetAttrString(node, "entries");
    if (entries != NULL && !PyDict_CheckExact(entries)) {
        PyErr_SetString(PyExc_TypeError, "a mapping has entries");
        Py_CLEAR(entries);
    }
    return entries;
}

/* Whether two members are equal. Nothing that is asked here changes a container, but it may be told to forget one. */
static int same_member(PyObject *one, PyObject *other, int levels)
{
    if (other == NULL) return 0;
    Py_INCREF(one);
    Py_INCREF(other);
    int same = soon(one, other, levels);
    Py_DECREF(one);
    Py_DECREF(other);
    return same;
}

static int same_maps(PyObject *a, PyObject *b, int levels)
{
    if (slot(a, plait_mapping_slots[ENTRIES]) == NULL && slot(b, plait_mapping_slots[ENTRIES]) == NULL) return 0;  /* a walk knows more */
    int same = same_object(slot(a, plait_mapping_slots[M_TAG]), slot(b, plait_mapping_slots[M_TAG]));
    PyObject *left = same > 0 ? entries_of(a) : NULL, *right = left == NULL ? NULL : entries_of(b);
    if (right != NULL && PyDict_GET_SIZE(left) == PyDict_GET_SIZE(right)) {
        PyObject *key, *one;
        Py_ssize_t at = 0, size = PyDict_GET_SIZE(left);
        while (same > 0 && PyDict_GET_SIZE(left) == size && PyDict_Next(left, &at, &key, &one)) {
            PyObject *other = PyDict_GetItemWithError(right, key);
            same = other == NULL && PyErr_Occurred() ? -1 : same_member(one, other, levels);
        }
    } else if (same > 0) {
        same = PyErr_Occurred() ? -1 : 0;
    }
    Py_XDECREF(left);
    Py_XDECREF(right);
    return same;
}

static int same_lists(PyObject *a, PyObject *b, int levels)
{
    PyObject *left = slot(a, plait_sequence_slots[ITEMS]), *right = slot(b, plait_sequence_slots[ITEMS]);
    if (left == NULL || right == NULL || !PyList_CheckExact(left) || !PyList_CheckExact(right)) return 0;
    int same = same_object(slot(a, plait_sequence_slots[S_TAG]), slot(b, plait_sequence_slots[S_TAG]));
    if (PyList_GET_SIZE(left) != PyList_GET_SIZE(right)) return 0;
    for (Py_ssize_t at = 0; same > 0 && at < PyList_GET_SIZE(left) && at < PyList_GET_SIZE(right); at++)
        same = same_member(PyList_GET_ITEM(left, at), PyList_GET_ITEM(right, at), levels);
    return same;
}

/* Whether two nodes are equal and so many containers deep at most; -1 where an exception is set. */
static int soon(PyObject *a, PyObject *b, int levels)
{
    if (Py_TYPE(a) == plait_scalar_type) return Py_TYPE(b) == plait_scalar_type ? same_scalar(a, b) : 0;
    if (!levels) return 0;
    if (PyType_IsSubtype(Py_TYPE(a), plait_mapping_type))
        return PyType_IsSubtype(Py_TYPE(b), plait_mapping_type) ? same_maps(a, b, levels - 1) : 0;
    if (Py_TYPE(a) == plait_sequence_type) return Py_TYPE(b) == plait_sequence_type ? same_lists(a, b, levels - 1) : 0;
    return 0;
}

/* soon_equal(one, other, levels) */
PyObject *plait_soon_equal(PyObject *one, PyObject *other, int levels)
{
    int same = plait_scalar_type == NULL ? 0 : soon(one, other, levels);
    return same < 0 ? NULL : PyBool_FromLong(same);
}

/* unlike(entries, others, levels): the keys of entries that the others do not have with a value that is soon equal. */
PyObject *plait_unlike(PyObject *entries, PyObject *others, int levels)
{
    PyObject *found = PyList_New(0), *key, *one;
    Py_ssize_t at = 0, size = PyDict_GET_SIZE(entries);
    int fine = found != NULL && plait_scalar_type != NULL;
    while (fine && PyDict_GET_SIZE(entries) == size && PyDict_Next(entries, &at, &key, &one)) {
        Py_INCREF(key);
        PyObject *other = PyDict_GetItemWithError(others, key);
        int same = other == NULL && PyErr_Occurred() ? -1 : same_member(one, other, levels);
        fine = same > 0 || (same == 0 && PyList_Append(found, key) == 0);
        Py_DECREF(key);
    }
    if (!fine) Py_CLEAR(found);
    if (!fine && !PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "call prepare first");
    return found;
}
