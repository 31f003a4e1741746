/* The union of mappings: what `_union` of plait.merging.combine says in Python, where nothing about kinds is forbidden;
 * and the merge of mappings that say nothing about how they are merged, with those inside them, as far as that goes.
 *
 * Which other nodes become one is decided in Python: here only the keys are found that several mappings have.
 */
#include "nodes.h"

static inline PyObject *slot(PyObject *object, Py_ssize_t at)
{
    return *(PyObject **)((char *)object + at);
}

/* Whether a single value that is over this one may have to be hidden; -1 where an exception is set. */
static int may_hide(PyObject *before)
{
    if (Py_TYPE(before) != plait_scalar_type) return 1;
    PyObject *secret = slot(before, plait_scalar_slots[SECRET]);
    return secret == NULL ? 1 : PyObject_IsTrue(secret);
}

/* instead(node, before, *all that is in its way at this key), as a new reference; these are then in nobody's way. */
static PyObject *in_place_of(PyObject *instead, PyObject *node, PyObject *before, PyObject *key, PyObject *clashes)
{
    PyObject *arguments = PyList_New(0), *others = PyDict_GetItemWithError(clashes, key), *made = NULL;
    if (arguments == NULL || (others == NULL && PyErr_Occurred())) goto done;
    if (PyList_Append(arguments, node) < 0 || PyList_Append(arguments, before) < 0) goto done;
    if (others != NULL) {
        Py_ssize_t end = PyList_GET_SIZE(arguments);
        if (PyList_SetSlice(arguments, end, end, others) < 0 || PyDict_DelItem(clashes, key) < 0) goto done;
    }
    PyObject *given = PyList_AsTuple(arguments);
    made = given == NULL ? NULL : PyObject_CallObject(instead, given);
    Py_XDECREF(given);
done:
    Py_XDECREF(arguments);
    return made;
}

/* The value that a mark stands for in a merge, or the node itself, as a new reference. */
static PyObject *taken(PyObject *node, PyTypeObject *mark)
{
    if (!PyObject_TypeCheck(node, mark)) return Py_NewRef(node);
    PyObject *found = PyObject_GetAttrString(node, "taken");
    if (found == Py_None) Py_SETREF(found, Py_NewRef(node));
    return found;
}

static int clash(PyObject *clashes, PyObject *key, PyObject *before, PyObject *node)
{
    PyObject *list = PyDict_GetItemWithError(clashes, key);
    if (list != NULL) return PyList_Append(list, node);
    if (PyErr_Occurred() || (list = PyList_New(2)) == NULL) return -1;
    PyList_SET_ITEM(list, 0, Py_NewRef(before));
    PyList_SET_ITEM(list, 1, Py_NewRef(node));
    int done = PyDict_SetItem(clashes, key, list);
    Py_DECREF(list);
    return done;
}

/* One entry of a higher mapping; 0 where an exception is set. */
static int lay(PyObject *merged, PyObject *clashes, PyObject *key, PyObject *given, PyObject *instead, PyTypeObject *mark)
{
    PyObject *before = Py_XNewRef(PyDict_GetItemWithError(merged, key)), *node = NULL;
    if (before == NULL && PyErr_Occurred()) return 0;
    if (Py_TYPE(given) == plait_scalar_type) {
        int hides = before == NULL ? 0 : may_hide(before);
        if (hides >= 0) node = hides ? in_place_of(instead, given, before, key, clashes) : Py_NewRef(given);
    } else {
        node = taken(given, mark);
        if (node != NULL && before != NULL && clash(clashes, key, before, node) < 0) Py_CLEAR(node);
    }
    int done = node != NULL && PyDict_SetItem(merged, key, node) == 0;
    Py_XDECREF(node);
    Py_XDECREF(before);
    return done;
}

/* A map that is built later has its entries when they are asked for by name. */
static PyObject *entries_of(PyObject *group, Py_ssize_t at)
{
    PyObject *node = PyList_GET_ITEM(group, at);
    if (plait_mapping_type == NULL || !PyObject_TypeCheck(node, plait_mapping_type)) {
        PyErr_SetString(PyExc_TypeError, "union takes mappings");
        return NULL;
    }
    PyObject *entries = Py_XNewRef(slot(node, plait_mapping_slots[ENTRIES]));
    if (entries == NULL) entries = PyObject_GetAttrString(node, "entries");
    if (entries != NULL && !PyDict_CheckExact(entries)) Py_SETREF(entries, PyObject_CallOneArg((PyObject *)&PyDict_Type, entries));
    return entries;
}

/* union(group, instead, Mark): the entries of all, and for each key that several have what is to be merged there. */
PyObject *plait_union(PyObject *group, PyObject *instead, PyTypeObject *mark)
{
    PyObject *merged = NULL, *clashes = PyDict_New(), *low = PyList_GET_SIZE(group) ? entries_of(group, 0) : PyDict_New();
    if (low != NULL) merged = PyDict_Copy(low);
    Py_XDECREF(low);
    int fine = merged != NULL && clashes != NULL;
    for (Py_ssize_t at = 1; fine && at < PyList_GET_SIZE(group); at++) {
        PyObject *entries = entries_of(group, at), *key, *node;
        Py_ssize_t next = 0;
        fine = entries != NULL;
        while (fine && PyDict_Next(entries, &next, &key, &node)) {
            Py_INCREF(key);
            Py_INCREF(node);
            fine = lay(merged, clashes, key, node, instead, mark);
            Py_DECREF(node);
            Py_DECREF(key);
        }
        Py_XDECREF(entries);
    }
    PyObject *pair = fine ? PyTuple_Pack(2, merged, clashes) : NULL;
    Py_XDECREF(merged);
    Py_XDECREF(clashes);
    return pair;
}

/* Whether a node is a mapping that says nothing about how it is merged. One that is built later counts when it was. */
static int is_plain(PyObject *node)
{
    return Py_TYPE(node) == plait_mapping_type && slot(node, plait_mapping_slots[M_TAG]) == Py_None
        && slot(node, plait_mapping_slots[M_ALONE]) == Py_False && slot(node, plait_mapping_slots[M_LIVE]) != NULL
        && slot(node, plait_mapping_slots[M_SOURCE]) != NULL && slot(node, plait_mapping_slots[M_AT]) != NULL;
}

static int are_plain(PyObject *group)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(group); at++) {
        if (!is_plain(PyList_GET_ITEM(group, at))) return 0;
    }
    return PyList_GET_SIZE(group) > 1;
}

/* What mappings were merged from, with the policy, as a new reference. */
static PyObject *parts_of(PyObject *group, PyObject *policy, PyObject *make)
{
    PyObject *parts = PyObject_CallOneArg(make, group);
    if (parts != NULL && PyObject_SetAttrString(parts, "policy", policy) < 0) Py_CLEAR(parts);
    return parts;
}

/* Plain mappings as one, as a new reference; what is left to merge inside is added to the work. */
static PyObject *as_one(PyObject *group, PyObject *policy, PyObject *instead, PyTypeObject *mark, PyObject *make, PyObject *work)
{
    PyObject *high = PyList_GET_ITEM(group, PyList_GET_SIZE(group) - 1), *live = Py_False, *none = NULL, *node = NULL;
    PyObject *pair = NULL, *parts = parts_of(group, policy, make);
    if (parts == NULL || (none = PyTuple_New(0)) == NULL || (pair = plait_union(group, instead, mark)) == NULL) goto done;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(group); at++) {
        int is_live = PyObject_IsTrue(slot(PyList_GET_ITEM(group, at), plait_mapping_slots[M_LIVE]));
        if (is_live < 0) goto done;
        if (is_live) live = Py_True;
    }
    PyObject *merged = PyTuple_GET_ITEM(pair, 0), *key, *nodes;
    Py_ssize_t next = 0;
    while (PyDict_Next(PyTuple_GET_ITEM(pair, 1), &next, &key, &nodes)) {
        PyObject *one = PyTuple_Pack(4, merged, key, nodes, policy);
        int kept = one == NULL ? -1 : PyList_Append(work, one);
        Py_XDECREF(one);
        if (kept < 0) goto done;
    }
    if ((node = plait_mapping_type->tp_alloc(plait_mapping_type, 0)) == NULL) goto done;
    PyObject *fields[MAPPING_SLOTS] = {
        [ENTRIES] = merged, [M_SOURCE] = slot(high, plait_mapping_slots[M_SOURCE]), [M_AT] = slot(high, plait_mapping_slots[M_AT]),
        [M_TAG] = Py_None, [M_LIVE] = live, [M_MARKS] = none, [M_PARTS] = parts, [M_ALONE] = Py_False,
    };
    for (int field = 0; field < MAPPING_SLOTS; field++) {
        *(PyObject **)((char *)node + plait_mapping_slots[field]) = Py_NewRef(fields[field]);
    }
done:
    Py_XDECREF(none);
    Py_XDECREF(parts);
    Py_XDECREF(pair);
    return node;
}

/* merge(group, policy, instead, Mark, Parts): plain mappings as one, and a list of what could not be merged here: for each place
 * its dictionary, its key and what is to be merged there. None where one of the group is not plain. */
PyObject *plait_merge(PyObject *group, PyObject *policy, PyObject *instead, PyTypeObject *mark, PyObject *make)
{
    if (plait_mapping_type == NULL || !are_plain(group)) Py_RETURN_NONE;
    PyObject *work = PyList_New(0), *left = PyList_New(0), *result = NULL, *pair = NULL;
    if (work == NULL || left == NULL) goto done;
    if ((result = as_one(group, policy, instead, mark, make, work)) == NULL) goto done;
    while (PyList_GET_SIZE(work)) {
        Py_ssize_t last = PyList_GET_SIZE(work) - 1;
        PyObject *one = Py_NewRef(PyList_GET_ITEM(work, last)), *nodes = PyTuple_GET_ITEM(one, 2), *node = NULL;
        int fine = PyList_SetSlice(work, last, last + 1, NULL) == 0;
        if (fine && are_plain(nodes)) {
            node = as_one(nodes, policy, instead, mark, make, work);
            fine = node != NULL && PyDict_SetItem(PyTuple_GET_ITEM(one, 0), PyTuple_GET_ITEM(one, 1), node) == 0;
            Py_XDECREF(node);
        } else if (fine) {
            fine = PyList_Append(left, one) == 0;
        }
        Py_DECREF(one);
        if (!fine) goto done;
    }
    pair = PyTuple_Pack(2, result, left);
done:
    Py_XDECREF(work);
    Py_XDECREF(left);
    Py_XDECREF(result);
    return pair;
}
