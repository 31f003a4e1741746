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

enum { FEW_KEYS = 4 }; /* the offsets of fewer are a tuple */

typedef struct {
    PyObject *entries, *items, *marks;  /* owned: a mapping has entries, a list has items */
    PyObject *key;                      /* owned, or NULL */
    PyObject *key_at, *began;           /* owned, or NULL */
    Py_ssize_t opened;
    int live;
} Open;

/* The columns of a document with its places, as scan.c gives them: texts are cut out of the whole when they are needed. */
typedef struct {
    PyObject *whole, *odd, *shared;     /* borrowed: the text, the texts that are not in it as they are, those that were cut out */
    Py_buffer ats, ends, pairs, marks;
} Spans;

typedef struct {
    PyObject *builder, *ats, *texts, *props, *source, *known, *resolve, *words, *marked, *signs, *merges, *anchors;  /* borrowed */
    Spans spans;                        /* in the place of ats and texts, where `whole` is there */
    PyObject *array;                    /* borrowed: the class of arrays there, in which the offsets of many keys are kept */
    const unsigned char *kinds;
    Py_ssize_t count;
    PyObject *later;                    /* borrowed: makes a map that is built when it is asked for; None for no such maps */
    Py_ssize_t least, most;             /* how many steps such a map has */
    uint64_t *seen;                     /* a table of its keys */
    Py_ssize_t seen_room;
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

/* The offsets of the keys of a map. Where texts are cut out of the whole, memory counts: numbers of an array are no objects. */
static PyObject *key_offsets(const Build *self, PyObject *marks)
{
    if (self->array == NULL || PyList_GET_SIZE(marks) < FEW_KEYS) return PyList_AsTuple(marks);
    return PyObject_CallFunction(self->array, "sO", "i", marks);
}

static PyObject *new_container(const Build *self, const Open *open)
{
    PyTypeObject *type = open->entries ? plait_mapping_type : plait_sequence_type;
    const Py_ssize_t *slots = open->entries ? plait_mapping_slots : plait_sequence_slots;
    PyObject *marks = open->entries ? key_offsets(self, open->marks) : NULL;
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
    Py_CLEAR(open->key_at);
    Py_CLEAR(open->began);
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
    self->open = (Open){NULL, NULL, NULL, NULL, NULL, Py_NewRef(at), index, 0};
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
        Py_XSETREF(open->key_at, Py_NewRef(at));
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

/* The whole number that a text is in every schema: up to 18 digits, the first of them no zero; -1 for any other text. */
static long long whole_number(PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (length == 0 || length > 18 || !PyUnicode_IS_ASCII(text) || PyUnicode_READ_CHAR(text, 0) == '0') return -1;
    const Py_UCS1 *digits = PyUnicode_1BYTE_DATA(text);
    long long value = 0;
    for (Py_ssize_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9') return -1;
        value = value * 10 + (digits[i] - '0');
    }
    return value;
}

static int is_letter(Py_UCS4 sign) { return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z'); }

/* What a plain scalar means, as a new reference. A letter begins a word of the schema, or a text. */
static PyObject *meaning(Build *self, PyObject *text)
{
    long long number = whole_number(text);
    if (number >= 0) return PyLong_FromLongLong(number);
    int word = PyUnicode_GET_LENGTH(text) && is_letter(PyUnicode_READ_CHAR(text, 0));
    PyObject *value = PyDict_GetItemWithError(word ? self->words : self->known, text);
    if (word && value == NULL) return PyErr_Occurred() ? NULL : Py_NewRef(text);
    if (value != NULL) return Py_NewRef(value);
    if (PyErr_Occurred() || (value = PyObject_CallOneArg(self->resolve, text)) == NULL) return NULL;
    if (PyDict_SetItem(self->known, text, value) < 0) Py_CLEAR(value);
    return value;
}

/* Whether the notations have to look at a text: it has one of their signs, or there are no signs; -1 for an exception. */
static int has_sign(const Build *self, PyObject *text)
{
    Py_ssize_t count = PyTuple_GET_SIZE(self->signs);
    int found = count == 0;
    for (Py_ssize_t i = 0; !found && i < count; i++) found = PyUnicode_Contains(text, PyTuple_GET_ITEM(self->signs, i));
    return found;
}

static PyObject *scalar(Build *self, int kind, PyObject *text, PyObject *at, int *asked)
{
    *asked = 0;
    if (kind == TEXT || !means_something(self, text)) {
        PyObject *node = new_scalar(self, text, text, at);
        if (node == NULL || self->marked == Py_None) return node;
        int signs = has_sign(self, text);
        if (signs < 0) Py_CLEAR(node);
        if (signs <= 0) return node;
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

/* The columns */

static int32_t number(const Py_buffer *column, Py_ssize_t index) { return ((const int32_t *)column->buf)[index]; }

static PyObject *at_of(const Build *self, Py_ssize_t index)
{
    if (self->spans.whole == NULL) return Py_NewRef(PyList_GET_ITEM(self->ats, index));
    return PyLong_FromLong(number(&self->spans.ats, index));
}

/* Where a text is in the whole; quotes are not part of it. */
static void span_of(const Build *self, Py_ssize_t index, Py_ssize_t *start, Py_ssize_t *end)
{
    int quote = self->kinds[index] == TEXT;
    *start = number(&self->spans.ats, index) + quote;
    *end = number(&self->spans.ends, index) - quote;
}

static int is_odd(const Build *self, Py_ssize_t index) { return ((const char *)self->spans.marks.buf)[index] & ODD; }

static PyObject *text_of(const Build *self, Py_ssize_t index)
{
    if (self->spans.whole == NULL) return Py_NewRef(PyList_GET_ITEM(self->texts, index));
    if (is_odd(self, index)) {
        PyObject *step = PyLong_FromSsize_t(index);
        PyObject *text = step == NULL ? NULL : PyDict_GetItemWithError(self->spans.odd, step);
        Py_XDECREF(step);
        if (text == NULL && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a step has no text");
        return Py_XNewRef(text);
    }
    if (self->kinds[index] > TEXT) return Py_NewRef(Py_None);
    Py_ssize_t start, end;
    span_of(self, index, &start, &end);
    PyObject *text = PyUnicode_Substring(self->spans.whole, start, end);
    if (text == NULL || end - start > 40) return text;
    PyObject *known = PyDict_SetDefault(self->spans.shared, text, text);  /* the same few are used everywhere */
    Py_XINCREF(known);
    Py_DECREF(text);
    return known;
}

/* Maps that are built later: only where nothing in them can be wrong or unusual. */

enum { DEEPEST = 60 };

/* Whether a span is a word of the schema, such as `true`; letters begin nothing else that is not text. -1 for an exception. */
static int is_meant_word(Build *self, Py_ssize_t start, Py_ssize_t end, Py_UCS4 first)
{
    if (!is_letter(first)) return 1;
    PyObject *text = PyUnicode_Substring(self->spans.whole, start, end);
    int found = text == NULL ? -1 : PyDict_Contains(self->words, text);
    Py_XDECREF(text);
    return found;
}

/* Whether a step is a key that is text, written as it is read, and new in its map; the map is known by its first step.
 * -1 for an exception. */
static int is_plain_key(Build *self, Py_ssize_t index, Py_ssize_t map, uint64_t slots)
{
    Py_ssize_t start, end;
    span_of(self, index, &start, &end);
    if (is_odd(self, index) || start < 0 || end <= start || end > PyUnicode_GET_LENGTH(self->spans.whole)) return 0;
    int kind = PyUnicode_KIND(self->spans.whole);
    const void *data = PyUnicode_DATA(self->spans.whole);
    Py_UCS4 first = PyUnicode_READ(kind, data, start);
    if (self->kinds[index] == PLAIN && first < 128 && self->starts[first]) {
        int meant = is_meant_word(self, start, end, first);
        if (meant) return meant < 0 ? -1 : 0;
    }
    if (end - start == 2 && first == '<' && PyUnicode_READ(kind, data, start + 1) == '<') return 0;
    uint64_t hash = 1469598103934665603u ^ (uint64_t)map;
    for (Py_ssize_t i = start; i < end; i++) hash = (hash ^ PyUnicode_READ(kind, data, i)) * 1099511628211u;
    hash |= 1;
    uint64_t at = (hash >> 20) & (slots - 1);
    for (; self->seen[at]; at = (at + 1) & (slots - 1))
        if (self->seen[at] == hash) return 0;  /* a duplicate, or it looks like one */
    self->seen[at] = hash;
    return 1;
}

/* Whether the map from a step to its end has plain keys, each once, and no tags, anchors or aliases; -1 for an exception. */
static int is_plain_map(Build *self, Py_ssize_t first, Py_ssize_t last)
{
    Py_ssize_t holders[DEEPEST], open = 0;
    char states[DEEPEST];  /* 0 in a list, 1 where a key comes next, 2 where its value does */
    Py_ssize_t slots = 16;
    while (slots < 2 * (last - first)) slots *= 2;
    if (slots > self->seen_room) {
        uint64_t *fresh = PyMem_Realloc(self->seen, (size_t)slots * sizeof(uint64_t));
        if (fresh == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        self->seen = fresh;
        self->seen_room = slots;
    }
    memset(self->seen, 0, (size_t)slots * sizeof(uint64_t));
    for (Py_ssize_t i = first; i <= last; i++) {
        int kind = self->kinds[i], inside = open ? states[open - 1] : 0;
        if (kind == END) {
            if (!open || inside == 2) return 0;
            open--;
            if (!open) return i == last;
        } else if (kind == MAP || kind == SEQ) {
            if (inside == 1 || open == DEEPEST) return 0;
            if (inside) states[open - 1] = 1;
            holders[open] = i;
            states[open++] = kind == MAP;
            continue;
        } else if (kind > TEXT || !open) {
            return 0;
        } else if (inside == 1) {
            int plain = is_plain_key(self, i, holders[open - 1], (uint64_t)slots);
            if (plain <= 0) return plain;
            states[open - 1] = 2;
        } else if (inside) {
            states[open - 1] = 1;
        }
    }
    return 0;
}

/* The last step of a map that is built later; -1 for one that is built now, -2 for an exception. */
static Py_ssize_t end_of_later(Build *self, Py_ssize_t index)
{
    if (self->later == Py_None || self->watched || self->marked != Py_None || !self->depth) return -1;
    if (self->open.entries != NULL && self->open.key == NULL) return -1;
    Py_ssize_t last = number(&self->spans.pairs, index), steps = last - index;
    if (steps < self->least || steps > self->most || last >= self->count) return -1;
    int plain = is_plain_map(self, index, last);
    return plain > 0 ? last : plain < 0 ? -2 : -1;
}

/* One step, or a whole map that is built later; the step after it, or -1 for an exception. */
static Py_ssize_t step(Build *self, Py_ssize_t index)
{
    int kind = self->kinds[index], asked = 0, fine = 0;
    Py_ssize_t next = index + 1;
    PyObject *at = at_of(self, index), *text = at == NULL ? NULL : text_of(self, index), *node = NULL;
    Open *open = &self->open;
    if (text == NULL) {
        Py_XDECREF(at);
        return -1;
    }
    if (kind <= TEXT) {
        int is_key = open->entries != NULL && open->key == NULL;
        if (!PyUnicode_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "a scalar has a text");
        } else if (is_key && (kind == TEXT || self->text_keys || !means_something(self, text))) {
            open->key = Py_NewRef(text);
            Py_XSETREF(open->key_at, Py_NewRef(at));
            fine = 1;
        } else {
            PyObject *value = is_key && !self->own_keys ? meaning(self, text) : NULL;
            if (value != NULL && PyUnicode_Check(value)) {  /* `name` begins as `null` does, and is text */
                open->key = Py_NewRef(value);
                Py_XSETREF(open->key_at, Py_NewRef(at));
                fine = 1;
            } else if (!PyErr_Occurred()) {
                node = scalar(self, kind, text, at, &asked);
            }
            Py_XDECREF(value);
        }
    } else if (kind == END) {
        node = end(self);
        asked = 1;
    } else if ((kind & ~PROPS) == MAP || (kind & ~PROPS) == SEQ) {
        Py_ssize_t last = kind == MAP ? end_of_later(self, index) : -1;
        if (last >= 0) {
            next = last + 1;
            node = PyObject_CallFunction(self->later, "nO", index, at);
        } else if (last == -1) {
            fine = push(self, (kind & ~PROPS) == MAP, index, at) && (!(kind & PROPS) || name_anchor(self, index));
        }
    } else {
        PyObject *empty = text == Py_None ? PyUnicode_New(0, 0) : Py_NewRef(text);
        node = empty == NULL ? NULL : PyObject_CallMethod(self->builder, "special", "niOO", index, kind, at, empty);
        Py_XDECREF(empty);
        asked = 1;
    }
    int live = node != NULL && asked ? is_live(node) : 0;
    if (live < 0) {
        Py_CLEAR(node);
    } else if (node != NULL) {
        self->open.live |= live;
        fine = place(self, node, at);
    }
    Py_DECREF(at);
    Py_DECREF(text);
    return fine ? next : -1;
}

/* What begins a plain scalar that may mean something. Nearly every call has the same set, so that the last one is kept. */
static int read_starts(Build *self, PyObject *starts)
{
    static PyObject *last;
    static unsigned char table[128];
    static int empty;
    if (starts == last) {
        memcpy(self->starts, table, sizeof table);
        self->empty_starts = empty;
        return 1;
    }
    PyObject *found = PyObject_GetIter(starts), *one;
    if (found == NULL) return 0;
    while ((one = PyIter_Next(found)) != NULL) {
        if (PyUnicode_Check(one) && PyUnicode_GET_LENGTH(one) == 0) self->empty_starts = 1;
        else if (PyUnicode_Check(one) && PyUnicode_READ_CHAR(one, 0) < 128) self->starts[PyUnicode_READ_CHAR(one, 0)] = 1;
        Py_DECREF(one);
    }
    Py_DECREF(found);
    if (PyErr_Occurred()) return 0;
    if (PyFrozenSet_CheckExact(starts)) {
        memcpy(table, self->starts, sizeof table);
        empty = self->empty_starts;
        Py_XSETREF(last, Py_NewRef(starts));
    }
    return 1;
}

static int column(PyObject *given, Py_buffer *into, Py_ssize_t wanted)
{
    if (PyObject_GetBuffer(given, into, PyBUF_SIMPLE) < 0) return 0;
    if (into->len == wanted) return 1;
    PyErr_SetString(PyExc_ValueError, "the columns differ in length");
    return 0;
}

/* Takes (text, odd, shared, ends, pairs, marks) in the place of a list of texts. */
static int read_spans(Build *self)
{
    Spans *spans = &self->spans;
    PyObject *ends, *pairs, *marks;
    Py_ssize_t wide = self->count * (Py_ssize_t)sizeof(int32_t);
    if (!PyArg_ParseTuple(self->texts, "UO!O!OOO", &spans->whole, &PyDict_Type, &spans->odd, &PyDict_Type, &spans->shared, &ends, &pairs, &marks))
        return 0;
    return column(self->ats, &spans->ats, wide) && column(ends, &spans->ends, wide) && column(pairs, &spans->pairs, wide)
        && column(marks, &spans->marks, self->count);
}

static int read_columns(Build *self)
{
    if (PyTuple_Check(self->texts)) {
        static PyObject *array;
        PyObject *module = array == NULL ? PyImport_ImportModule("array") : NULL;
        if (module != NULL) array = PyObject_GetAttrString(module, "array");
        Py_XDECREF(module);
        self->array = array;
        return array != NULL && read_spans(self);
    }
    if (PyList_Check(self->ats) && PyList_Check(self->texts) && PyList_GET_SIZE(self->ats) == self->count
        && PyList_GET_SIZE(self->texts) == self->count) {
        self->later = Py_None;
        return 1;
    }
    PyErr_SetString(PyExc_ValueError, "the columns differ in length");
    return 0;
}

static void release(Build *self)
{
    drop(&self->open);
    while (self->depth) drop(&self->stack[--self->depth]);
    PyMem_Free(self->stack);
    PyMem_Free(self->seen);
    PyBuffer_Release(&self->spans.ats);
    PyBuffer_Release(&self->spans.ends);
    PyBuffer_Release(&self->spans.pairs);
    PyBuffer_Release(&self->spans.marks);
}

/* The roots of the steps from one to another; 0 where an exception is set. */
static int build_span(Build *self, PyObject *span)
{
    Py_ssize_t first, last;
    if (!PyTuple_Check(span) || !PyArg_ParseTuple(span, "nn", &first, &last)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a span is two steps");
        return 0;
    }
    if (first < 0 || last > self->count) {
        PyErr_SetString(PyExc_ValueError, "there are not so many steps");
        return 0;
    }
    while (first < last)
        if ((first = step(self, first)) < 0) return 0;
    if (self->depth) PyErr_SetString(PyExc_ValueError, "a container does not end");
    return !self->depth;
}

/* build(builder, kinds, ats, texts, props, source, known, resolve, starts, words, marked, signs, text_keys, own_keys, watched,
 *       merges, anchors, ((first, last), ...), later, (least, most)): the roots of some of the steps. */
PyObject *plait_build(PyObject *arguments)
{
    Build self = {0};
    PyObject *kinds, *starts, *spans;
    if (!PyArg_ParseTuple(arguments, "OOOOO!OO!OOO!OO!pppO!O!O!O(nn):build", &self.builder, &kinds, &self.ats, &self.texts, &PyDict_Type,
            &self.props, &self.source, &PyDict_Type, &self.known, &self.resolve, &starts, &PyDict_Type, &self.words, &self.marked,
            &PyTuple_Type, &self.signs, &self.text_keys, &self.own_keys, &self.watched,
            &PyDict_Type, &self.merges, &PyDict_Type, &self.anchors, &PyTuple_Type, &spans, &self.later, &self.least, &self.most)) return NULL;
    PyObject *steps = plait_scalar_type == NULL ? NULL : PyBytes_FromObject(kinds);
    if (steps == NULL) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "call prepare first");
        return NULL;
    }
    self.kinds = (const unsigned char *)PyBytes_AS_STRING(steps);
    self.count = PyBytes_GET_SIZE(steps);
    int fine = read_starts(&self, starts) && read_columns(&self);
    if (fine) fine = (self.open.items = PyList_New(0)) != NULL;
    for (Py_ssize_t i = 0; fine && i < PyTuple_GET_SIZE(spans); i++) fine = build_span(&self, PyTuple_GET_ITEM(spans, i));
    PyObject *roots = fine ? Py_NewRef(self.open.items) : NULL;
    release(&self);
    Py_DECREF(steps);
    return roots;
}

/* cut(kinds, ats, texts, first, last): the texts of some steps, as a list. */
PyObject *plait_cut(PyObject *arguments)
{
    Build self = {0};
    PyObject *kinds, *found = NULL;
    Py_ssize_t first, last;
    if (!PyArg_ParseTuple(arguments, "SOO!nn:cut", &kinds, &self.ats, &PyTuple_Type, &self.texts, &first, &last)) return NULL;
    self.kinds = (const unsigned char *)PyBytes_AS_STRING(kinds);
    self.count = PyBytes_GET_SIZE(kinds);
    if (first < 0 || last < first || last > self.count) PyErr_SetString(PyExc_ValueError, "there are not so many steps");
    else if (read_spans(&self)) found = PyList_New(last - first);
    for (Py_ssize_t i = first; found != NULL && i < last; i++) {
        PyObject *text = text_of(&self, i);
        if (text == NULL) Py_CLEAR(found);
        else PyList_SET_ITEM(found, i - first, text);
    }
    release(&self);
    return found;
}
