/* The columns of a program to nodes: the loop of `yaml/build.py`, which does everything that is unusual and is called from here.
 *
 * What surrounds the open container is an array, so depth does not touch the C stack.
 */
#include "nodes.h"

#include <structmember.h>
#include <string.h>

static const char *scalar_names[] = {"value", "text", "source", "at", "tag", "secret"};
static const char *sequence_names[] = {"items", "source", "at", "tag", "live", "parts", "rule"};
static const char *mapping_names[] = {"entries", "source", "at", "tag", "live", "marks", "parts", "alone"};

PyTypeObject *plait_scalar_type, *plait_sequence_type, *plait_mapping_type;
Py_ssize_t plait_scalar_slots[SCALAR_SLOTS], plait_sequence_slots[SEQUENCE_SLOTS], plait_mapping_slots[MAPPING_SLOTS];
static PyObject *nothing;  /* the empty tuple */

typedef struct {
    PyObject *entries, *items, *marks;  /* owned: a mapping has entries, a list has items */
    PyObject *key;                      /* owned, or NULL */
    PyObject *key_at, *began;           /* borrowed from the column of places */
    Py_ssize_t opened;
    int live;
} Open;

typedef struct {
    PyObject *builder, *ats, *texts, *props, *source, *known, *resolve, *marked, *merges, *anchors;  /* borrowed */
    int text_keys, own_keys, watched;
    unsigned char starts[128];
    int empty_starts;
    Open open;
    Open *stack;
    Py_ssize_t depth, room;
} Build;

static int slots_of(PyTypeObject *type, const char **names, int count, Py_ssize_t *slots)
{
    for (int i = 0; i < count; i++) {
        PyObject *slot = PyObject_GetAttrString((PyObject *)type, names[i]);
        if (slot == NULL) return 0;
        int fits = Py_TYPE(slot) == &PyMemberDescr_Type && ((PyMemberDescrObject *)slot)->d_member->type == T_OBJECT_EX;
        if (fits) slots[i] = ((PyMemberDescrObject *)slot)->d_member->offset;
        Py_DECREF(slot);
        if (!fits) {
            PyErr_Format(PyExc_TypeError, "%s has no slot %s", type->tp_name, names[i]);
            return 0;
        }
    }
    return 1;
}

/* The types of nodes; an exception where they are not made as this module makes them. */
PyObject *plait_prepare(PyObject *arguments)
{
    PyTypeObject *scalar, *sequence, *mapping;
    if (!PyArg_ParseTuple(arguments, "O!O!O!:prepare", &PyType_Type, &scalar, &PyType_Type, &sequence, &PyType_Type, &mapping))
        return NULL;
    if (!slots_of(scalar, scalar_names, SCALAR_SLOTS, plait_scalar_slots)
        || !slots_of(sequence, sequence_names, SEQUENCE_SLOTS, plait_sequence_slots)
        || !slots_of(mapping, mapping_names, MAPPING_SLOTS, plait_mapping_slots)) return NULL;
    if (nothing == NULL && (nothing = PyTuple_New(0)) == NULL) return NULL;
    Py_XSETREF(plait_scalar_type, (PyTypeObject *)Py_NewRef(scalar));
    Py_XSETREF(plait_sequence_type, (PyTypeObject *)Py_NewRef(sequence));
    Py_XSETREF(plait_mapping_type, (PyTypeObject *)Py_NewRef(mapping));
    Py_RETURN_NONE;
}

static inline void put(PyObject *object, Py_ssize_t slot, PyObject *value)
{
    *(PyObject **)((char *)object + slot) = Py_NewRef(value);
}

static PyObject *new_scalar(const Build *self, PyObject *value, PyObject *text, PyObject *at)
{
    PyObject *node = plait_scalar_type->tp_alloc(plait_scalar_type, 0);
    if (node == NULL) return NULL;
    put(node, plait_scalar_slots[VALUE], value);
    put(node, plait_scalar_slots[WORDS], text);
    put(node, plait_scalar_slots[SOURCE], self->source);
    put(node, plait_scalar_slots[AT], at);
    put(node, plait_scalar_slots[TAG], Py_None);
    put(node, plait_scalar_slots[SECRET], Py_False);
    return node;
}

static PyObject *new_container(const Build *self, const Open *open)
{
    PyTypeObject *type = open->entries ? plait_mapping_type : plait_sequence_type;
    const Py_ssize_t *slots = open->entries ? plait_mapping_slots : plait_sequence_slots;
    PyObject *marks = open->entries ? PyList_AsTuple(open->marks) : NULL;
    if (open->entries && marks == NULL) return NULL;
    PyObject *node = type->tp_alloc(type, 0);
    if (node == NULL) {
        Py_XDECREF(marks);
        return NULL;
    }
    /* the first five slots are the same for both */
    put(node, slots[ENTRIES], open->entries ? open->entries : open->items);
    put(node, slots[M_SOURCE], self->source);
    put(node, slots[M_AT], open->began);
    put(node, slots[M_TAG], Py_None);
    put(node, slots[M_LIVE], open->live ? Py_True : Py_False);
    if (open->entries) {
        put(node, slots[M_MARKS], marks);
        put(node, slots[M_PARTS], nothing);
        put(node, slots[M_ALONE], Py_False);
        Py_DECREF(marks);
    } else {
        put(node, slots[S_PARTS], nothing);
        put(node, slots[S_RULE], Py_None);
    }
    return node;
}

static void drop(Open *open)
{
    Py_CLEAR(open->entries);
    Py_CLEAR(open->items);
    Py_CLEAR(open->marks);
    Py_CLEAR(open->key);
}

static int push(Build *self, int mapping, Py_ssize_t index, PyObject *at)
{
    if (self->depth == self->room) {
        Py_ssize_t room = self->room ? self->room * 2 : 32;
        Open *fresh = PyMem_Realloc(self->stack, (size_t)room * sizeof(Open));
        if (fresh == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        self->stack = fresh;
        self->room = room;
    }
    self->stack[self->depth++] = self->open;
    self->open = (Open){NULL, NULL, NULL, NULL, at, at, index, 0};
    if (mapping) {
        self->open.entries = PyDict_New();
        self->open.marks = PyList_New(0);
        return self->open.entries != NULL && self->open.marks != NULL;
    }
    self->open.items = PyList_New(0);
    return self->open.items != NULL;
}

static int is_live(PyObject *node)
{
    PyObject *live = PyObject_GetAttrString(node, "live");
    int found = live == NULL ? -1 : PyObject_IsTrue(live);
    Py_XDECREF(live);
    return found;
}

/* Takes over the node; 0 where an exception is set. */
static int place(Build *self, PyObject *node, PyObject *at)
{
    Open *open = &self->open;
    int done = 0;
    if (open->entries == NULL) {
        done = PyList_Append(open->items, node) == 0;
    } else if (open->key == NULL) {
        open->key = PyObject_CallMethod(self->builder, "as_key", "O", node);
        open->key_at = at;
        done = open->key != NULL;
    } else {
        PyObject *key = open->key;
        Py_ssize_t before = PyDict_GET_SIZE(open->entries);
        int odd = PyUnicode_Check(key) && PyUnicode_CompareWithASCIIString(key, "<<") == 0;
        if (!odd) {
            odd = PyDict_SetDefault(open->entries, key, node) == NULL ? -1 : PyDict_GET_SIZE(open->entries) == before;
        }
        if (odd > 0) {
            PyObject *dealt = PyObject_CallMethod(
                self->builder, "takes_special_key", "OOOOOn", open->entries, open->marks, key, open->key_at, node, open->opened);
            odd = dealt == NULL ? -1 : PyObject_IsTrue(dealt);
            Py_XDECREF(dealt);
            if (odd == 0) odd = PyDict_SetItem(open->entries, key, node) < 0 ? -1 : 0;
        }
        done = odd > 0 || (odd == 0 && PyList_Append(open->marks, open->key_at) == 0);
        Py_CLEAR(open->key);
    }
    Py_DECREF(node);
    return done;
}

static int means_something(const Build *self, PyObject *text)
{
    if (PyUnicode_GET_LENGTH(text) == 0) return self->empty_starts;
    Py_UCS4 first = PyUnicode_READ_CHAR(text, 0);
    return first < 128 && self->starts[first];
}

/* What a plain scalar means, as a new reference. */
static PyObject *meaning(Build *self, PyObject *text)
{
    PyObject *value = PyDict_GetItemWithError(self->known, text);
    if (value != NULL) return Py_NewRef(value);
    if (PyErr_Occurred() || (value = PyObject_CallOneArg(self->resolve, text)) == NULL) return NULL;
    if (PyDict_SetItem(self->known, text, value) < 0) Py_CLEAR(value);
    return value;
}

static PyObject *scalar(Build *self, int kind, PyObject *text, PyObject *at, int *asked)
{
    *asked = 0;
    if (kind == TEXT || !means_something(self, text)) {
        PyObject *node = new_scalar(self, text, text, at);
        if (node == NULL || self->marked == Py_None) return node;
        PyObject *seen = PyObject_CallOneArg(self->marked, node);
        Py_DECREF(node);
        *asked = 1;
        return seen;
    }
    PyObject *value = meaning(self, text);
    PyObject *node = value == NULL ? NULL : new_scalar(self, value, text, at);
    Py_XDECREF(value);
    return node;
}

static PyObject *end(Build *self)
{
    PyObject *node = self->depth ? new_container(self, &self->open) : NULL;
    if (node == NULL) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a container ends that did not begin");
        return NULL;
    }
    int special = self->watched || PyDict_GET_SIZE(self->merges);
    if (!special && PyDict_GET_SIZE(self->props)) {
        PyObject *step = PyLong_FromSsize_t(self->open.opened);
        special = step == NULL ? -1 : PyDict_Contains(self->props, step);
        Py_XDECREF(step);
    }
    if (special > 0) {
        PyObject *done = PyObject_CallMethod(self->builder, "finish", "On", node, self->open.opened);
        Py_SETREF(node, done);
    } else if (special < 0) {
        Py_CLEAR(node);
    }
    drop(&self->open);
    self->open = self->stack[--self->depth];
    return node;
}

static int name_anchor(Build *self, Py_ssize_t index)
{
    PyObject *step = PyLong_FromSsize_t(index);
    PyObject *pair = step == NULL ? NULL : PyDict_GetItemWithError(self->props, step);
    Py_XDECREF(step);
    if (pair == NULL || !PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a step has no tag and no anchor");
        return 0;
    }
    PyObject *anchor = PyTuple_GET_ITEM(pair, 1);
    return anchor == Py_None || PyDict_SetItem(self->anchors, anchor, Py_None) == 0;
}

static int step(Build *self, Py_ssize_t index, int kind)
{
    PyObject *at = PyList_GET_ITEM(self->ats, index), *text = PyList_GET_ITEM(self->texts, index), *node;
    Open *open = &self->open;
    int asked = 0;
    if (kind <= TEXT) {
        int is_key = open->entries != NULL && open->key == NULL;
        if (!PyUnicode_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "a scalar has a text");
            return 0;
        }
        if (is_key && (kind == TEXT || self->text_keys || !means_something(self, text))) {
            open->key = Py_NewRef(text);
            open->key_at = at;
            return 1;
        }
        if (is_key && !self->own_keys) {  /* `name` begins as `null` does, and is text */
            PyObject *value = meaning(self, text);
            if (value == NULL) return 0;
            if (PyUnicode_Check(value)) {
                open->key = value;
                open->key_at = at;
                return 1;
            }
            Py_DECREF(value);
        }
        node = scalar(self, kind, text, at, &asked);
    } else if (kind == END) {
        node = end(self);
        asked = 1;
    } else if ((kind & ~PROPS) == MAP || (kind & ~PROPS) == SEQ) {
        return push(self, (kind & ~PROPS) == MAP, index, at) && (!(kind & PROPS) || name_anchor(self, index));
    } else {
        PyObject *empty = text == Py_None ? PyUnicode_New(0, 0) : Py_NewRef(text);
        node = empty == NULL ? NULL : PyObject_CallMethod(self->builder, "special", "niOO", index, kind, at, empty);
        Py_XDECREF(empty);
        asked = 1;
    }
    if (node == NULL) return 0;
    int live = asked ? is_live(node) : 0;
    if (live < 0) {
        Py_DECREF(node);
        return 0;
    }
    self->open.live |= live;
    return place(self, node, at);
}

static int read_starts(Build *self, PyObject *starts)
{
    PyObject *found = PyObject_GetIter(starts), *one;
    if (found == NULL) return 0;
    while ((one = PyIter_Next(found)) != NULL) {
        if (PyUnicode_Check(one) && PyUnicode_GET_LENGTH(one) == 0) self->empty_starts = 1;
        else if (PyUnicode_Check(one) && PyUnicode_READ_CHAR(one, 0) < 128) self->starts[PyUnicode_READ_CHAR(one, 0)] = 1;
        Py_DECREF(one);
    }
    Py_DECREF(found);
    return !PyErr_Occurred();
}

/* build(builder, kinds, ats, texts, props, source, known, resolve, starts, marked, text_keys, own_keys, watched, merges, anchors): the roots. */
PyObject *plait_build(PyObject *arguments)
{
    Build self = {0};
    PyObject *kinds, *starts;
    if (!PyArg_ParseTuple(arguments, "OOO!O!O!OO!OOOpppO!O!:build", &self.builder, &kinds, &PyList_Type, &self.ats, &PyList_Type,
            &self.texts, &PyDict_Type, &self.props, &self.source, &PyDict_Type, &self.known, &self.resolve, &starts, &self.marked,
            &self.text_keys, &self.own_keys, &self.watched, &PyDict_Type, &self.merges, &PyDict_Type, &self.anchors)) return NULL;
    PyObject *steps = plait_scalar_type == NULL ? NULL : PyBytes_FromObject(kinds);
    if (steps == NULL) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "call prepare first");
        return NULL;
    }
    Py_ssize_t count = PyBytes_GET_SIZE(steps);
    int fine = read_starts(&self, starts);
    if (fine && (PyList_GET_SIZE(self.ats) != count || PyList_GET_SIZE(self.texts) != count)) {
        PyErr_SetString(PyExc_ValueError, "the columns differ in length");
        fine = 0;
    }
    if (fine) fine = (self.open.items = PyList_New(0)) != NULL;
    for (Py_ssize_t i = 0; fine && i < count; i++) fine = step(&self, i, (unsigned char)PyBytes_AS_STRING(steps)[i]);
    if (fine && self.depth) {
        PyErr_SetString(PyExc_ValueError, "a container does not end");
        fine = 0;
    }
    PyObject *roots = fine ? Py_NewRef(self.open.items) : NULL;
    drop(&self.open);
    while (self.depth) drop(&self.stack[--self.depth]);
    PyMem_Free(self.stack);
    Py_DECREF(steps);
    return roots;
}
