/* Nodes to text: the loop of `yaml/emit.py`, which does everything that is unusual and is called from here.
 *
 * Containers around the one that is written are an array, so depth does not touch the C stack. Text that is ASCII is collected
 * here; any other is put into the list of pieces as it is.
 */
#include "nodes.h"

#include <string.h>

enum { PIECE = 1 << 20, OFTEN = 4096 };

typedef struct {
    PyObject *holder, *members;  /* owned: `members` is a dictionary, or a list of items, or one of sorted pairs */
    Py_ssize_t next, pad;
    int mapping;
} Level;

typedef struct {
    PyObject *writer, *out, *names, *unchanged;  /* borrowed */
    Py_ssize_t indent, dash, item, wide, longest_key;
    int always, sorted;
    Level *stack;
    Py_ssize_t depth, levels;
    char *text;
    Py_ssize_t length, room;
    int lead;  /* whether the next line begins with the indentation; the first of an item in a list does not */
    PyObject *values, *lower, *holders;  /* borrowed: which row has what; NULL where nobody asks */
    Py_ssize_t row, begin, count;  /* lines that ended, where the one began that is written, values so far */
} Emit;

static inline PyObject *slot(PyObject *node, Py_ssize_t offset)
{
    return *(PyObject **)((char *)node + offset);
}

/* Text */

static int make_room(Emit *self, Py_ssize_t more)
{
    if (more > PY_SSIZE_T_MAX / 4 - self->length) {
        PyErr_NoMemory();
        return 0;
    }
    if (self->length + more <= self->room) return 1;
    Py_ssize_t room = (self->length + more) * 2;
    char *fresh = PyMem_Realloc(self->text, (size_t)room);
    if (fresh == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    self->text = fresh;
    self->room = room;
    return 1;
}

static int put(Emit *self, const char *letters, Py_ssize_t count)
{
    if (!count) return 1;
    if (!make_room(self, count)) return 0;
    memcpy(self->text + self->length, letters, (size_t)count);
    self->length += count;
    return 1;
}

static int put_spaces(Emit *self, Py_ssize_t count)
{
    if (!count) return 1; /* nothing is collected yet, maybe: there may be no text to write to */
    if (!make_room(self, count)) return 0;
    memset(self->text + self->length, ' ', (size_t)count);
    self->length += count;
    return 1;
}

/* What is collected becomes a piece of the result. */
static int flush(Emit *self)
{
    if (!self->length) return 1;
    PyObject *piece = PyUnicode_New(self->length, 127);
    if (piece == NULL) return 0;
    memcpy(PyUnicode_1BYTE_DATA(piece), self->text, (size_t)self->length);
    self->length = 0;
    int done = PyList_Append(self->out, piece) == 0;
    Py_DECREF(piece);
    return done;
}

/* PrintedRows: which line has what */

/* The line ends of a text are counted. */
static void count_rows(Emit *self, PyObject *text)
{
    const void *letters = PyUnicode_DATA(text);
    int kind = PyUnicode_KIND(text);
    for (Py_ssize_t at = 0, length = PyUnicode_GET_LENGTH(text); at < length; at++) self->row += PyUnicode_READ(kind, letters, at) == '\n';
}

static int end_line(Emit *self)
{
    self->row++;
    return put(self, "\n", 1);
}

static int append_taken(PyObject *list, PyObject *item)
{
    int done = item != NULL && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return done;
}

/* A value is on the line that is written; below the line where that began, if its key needed a `?`. */
static int note_value(Emit *self)
{
    if (self->values == NULL) return 1;
    Py_ssize_t number = self->count++;
    if (self->row != self->begin && !append_taken(self->lower, Py_BuildValue("nn", number, self->row + 1))) return 0;
    return append_taken(self->values, PyLong_FromSsize_t(self->begin + 1));
}

/* A container has the line that is written. */
static int note_holder(Emit *self)
{
    return self->values == NULL || append_taken(self->holders, Py_BuildValue("nnn", self->begin + 1, self->count, self->depth));
}

static int put_text(Emit *self, PyObject *text)
{
    if (PyUnicode_IS_ASCII(text)) return put(self, (const char *)PyUnicode_1BYTE_DATA(text), PyUnicode_GET_LENGTH(text));
    return flush(self) && PyList_Append(self->out, text) == 0;
}

/* A text that a method of the writer gave; takes it over. */
static PyObject *as_text(PyObject *given)
{
    if (given != NULL && !PyUnicode_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "a writer gives texts");
        Py_CLEAR(given);
    }
    return given;
}

static PyObject *spaces(Py_ssize_t count)
{
    PyObject *text = PyUnicode_New(count, 127);
    if (text != NULL) memset(PyUnicode_1BYTE_DATA(text), ' ', (size_t)count);
    return text;
}

/* Containers */

static int is_map(PyObject *node)
{
    return PyObject_TypeCheck(node, plait_mapping_type);
}

static int is_list(PyObject *node)
{
    return PyObject_TypeCheck(node, plait_sequence_type);
}

/* What a map or a list holds, borrowed; NULL with an exception where it is not made as nodes are. One that is built later is
 * built now. */
static PyObject *content(PyObject *node)
{
    Py_ssize_t at = is_map(node) ? plait_mapping_slots[ENTRIES] : plait_sequence_slots[ITEMS];
    PyObject *held = slot(node, at);
    if (held == NULL) {
        PyObject *built = PyObject_GetAttrString(node, is_map(node) ? "entries" : "items");
        if (built == NULL) return NULL;
        Py_DECREF(built);
        held = slot(node, at);
    }
    if (held == NULL || !(is_map(node) ? PyDict_Check(held) : PyList_Check(held))) {
        PyErr_SetString(PyExc_TypeError, "a map has a dictionary, a list has a list");
        return NULL;
    }
    return held;
}

static Py_ssize_t size_of(PyObject *held)
{
    return PyDict_Check(held) ? PyDict_GET_SIZE(held) : PyList_GET_SIZE(held);
}

/* The tag of a map or a list, borrowed: NULL for none. */
static PyObject *container_tag(PyObject *node)
{
    PyObject *tag = slot(node, is_map(node) ? plait_mapping_slots[M_TAG] : plait_sequence_slots[S_TAG]);
    return tag == Py_None ? NULL : tag;
}

static int open_level(Emit *self, PyObject *node, Py_ssize_t pad)
{
    PyObject *held = content(node);
    if (held == NULL) return 0;
    if (self->depth == self->levels) {
        Py_ssize_t levels = self->levels ? self->levels * 2 : 32;
        Level *fresh = PyMem_Realloc(self->stack, (size_t)levels * sizeof(Level));
        if (fresh == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        self->stack = fresh;
        self->levels = levels;
    }
    if (self->sorted && is_map(node)) {
        PyObject *pairs = PyObject_CallMethod(self->writer, "members", "O", node);
        held = pairs == NULL ? NULL : PySequence_List(pairs);
        Py_XDECREF(pairs);
        if (held == NULL) return 0;
    } else {
        Py_INCREF(held);
    }
    self->stack[self->depth++] = (Level){Py_NewRef(node), held, 0, pad, is_map(node)};
    return 1;
}

static void close_level(Emit *self)
{
    Level *level = &self->stack[--self->depth];
    Py_CLEAR(level->holder);
    Py_CLEAR(level->members);
}

/* The next member, as new references; 0 at the end, -1 where an exception is set. A list has no keys. */
static int next_member(Level *level, PyObject **key, PyObject **node)
{
    *key = NULL;
    if (PyDict_Check(level->members)) {
        if (!PyDict_Next(level->members, &level->next, key, node)) return 0;
    } else {
        if (level->next >= PyList_GET_SIZE(level->members)) return 0;
        *node = PyList_GET_ITEM(level->members, level->next++);
        if (level->mapping) {
            PyObject *pair = *node;
            if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
                PyErr_SetString(PyExc_TypeError, "a member of a map is a pair");
                return -1;
            }
            *key = PyTuple_GET_ITEM(pair, 0);
            *node = PyTuple_GET_ITEM(pair, 1);
        }
    }
    Py_XINCREF(*key);
    Py_INCREF(*node);
    return 1;
}

/* Lines */

static int put_lead(Emit *self, Py_ssize_t pad)
{
    int done = !self->lead || put_spaces(self, pad);
    self->lead = 1;
    return done;
}

/* A key that is not a word: one that was written before, or what the writer says. `alone` where it needed a `?`. */
static int put_odd_key(Emit *self, const Level *level, PyObject *key, int *alone)
{
    PyObject *head = PyDict_GetItemWithError(self->names, key);
    if (head != NULL && PyUnicode_Check(head)) {
        Py_INCREF(head);
        int done = put_lead(self, level->pad) && put_text(self, head);
        Py_DECREF(head);
        return done;
    }
    if (PyErr_Occurred() || !flush(self)) return 0;
    Py_ssize_t pieces = PyList_GET_SIZE(self->out);
    PyObject *pad = spaces(level->pad), *lead = pad == NULL ? NULL : self->lead ? Py_NewRef(pad) : PyUnicode_New(0, 0);
    head = lead == NULL ? NULL : as_text(PyObject_CallMethod(self->writer, "head", "OOOO", key, lead, pad, level->holder));
    Py_XDECREF(pad);
    Py_XDECREF(lead);
    if (head == NULL) return 0;
    for (; pieces < PyList_GET_SIZE(self->out); pieces++)
        if (PyUnicode_Check(PyList_GET_ITEM(self->out, pieces))) count_rows(self, PyList_GET_ITEM(self->out, pieces));
    *alone = PyUnicode_CompareWithASCIIString(head, ":") == 0;
    if (*alone) self->lead = 1;
    int done = put_lead(self, level->pad) && put_text(self, head);
    Py_DECREF(head);
    return done;
}

static int put_key(Emit *self, const Level *level, PyObject *key, int *alone)
{
    if (PyUnicode_CheckExact(key) && PyUnicode_GET_LENGTH(key) <= self->longest_key && plait_is_usual(key))
        return put_lead(self, level->pad) && put_text(self, key) && put(self, ":", 1);
    return put_odd_key(self, level, key, alone);
}

/* Whether a number is written as its text. */
static int is_decimal(PyObject *value, PyObject *text)
{
    char digits[24];
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow || number >= 1000000000000000000LL || number <= -1000000000000000000LL) return 0;
    snprintf(digits, sizeof digits, "%lld", number);
    return PyUnicode_CompareWithASCIIString(text, digits) == 0;
}

/* Whether the value of a scalar without a tag is printed as its text; -1 where an exception is set. */
static int is_unchanged(const Emit *self, PyObject *value, PyObject *text)
{
    if (value == Py_True) return PyUnicode_CompareWithASCIIString(text, "true") == 0;
    if (value == Py_False) return PyUnicode_CompareWithASCIIString(text, "false") == 0;
    if (value == Py_None) return PyUnicode_CompareWithASCIIString(text, "null") == 0;
    if (PyLong_CheckExact(value)) return is_decimal(value, text);
    PyObject *known = PyTuple_Pack(3, (PyObject *)Py_TYPE(value), value, text);
    int found = known == NULL ? -1 : PySet_Contains(self->unchanged, known);
    Py_XDECREF(known);
    return found;
}

/* The text of a scalar as a new reference. */
static PyObject *scalar_text(const Emit *self, const Level *level, PyObject *node)
{
    PyObject *value = slot(node, plait_scalar_slots[VALUE]), *text = slot(node, plait_scalar_slots[WORDS]);
    PyObject *tag = slot(node, plait_scalar_slots[TAG]), *secret = slot(node, plait_scalar_slots[SECRET]);
    if (value != NULL && text != NULL && PyUnicode_Check(text) && tag == Py_None && secret == Py_False) {
        if (PyUnicode_CheckExact(value) && !self->always && plait_is_usual(value)) return Py_NewRef(value);
        int same = is_unchanged(self, value, text);
        if (same) return same < 0 ? NULL : Py_NewRef(text);
    }
    PyObject *pad = spaces(level->pad);
    if (pad == NULL) return NULL;
    text = PyObject_CallMethod(self->writer, "scalar", "OnO", node, level->mapping ? self->indent : self->item, pad);
    Py_DECREF(pad);
    return as_text(text);
}

/* A value after its key or dash; takes over its text. `gap` where the space stands even before an empty text. */
static int put_value(Emit *self, PyObject *text, int gap)
{
    if (text == NULL) return 0;
    if (self->values != NULL) count_rows(self, text);
    int done = (!gap && PyUnicode_GET_LENGTH(text) == 0) || (put(self, " ", 1) && put_text(self, text));
    Py_DECREF(text);
    return done && end_line(self);
}

/* Begin a container after a key or a dash, as `open` of the writer does. */
static int put_container(Emit *self, const Level *level, PyObject *node, Py_ssize_t size, int keyed)
{
    PyObject *tag = container_tag(node);
    Py_ssize_t deeper = !keyed ? self->item : is_list(node) ? self->dash : self->indent;
    Py_ssize_t pad = level->pad + deeper;
    if ((tag != NULL || keyed) && !note_holder(self)) return 0;
    if (tag != NULL) {
        if (!put_value(self, as_text(PyObject_CallMethod(self->writer, "tag", "O", tag)), 1)) return 0;
    } else if (keyed) {
        if (!end_line(self)) return 0;
    } else {
        if (!put_spaces(self, self->item - 1)) return 0;
        self->lead = 0;
    }
    if (pad > self->wide) {
        PyObject *charged = PyObject_CallMethod(self->writer, "widen", "n", pad > PY_SSIZE_T_MAX / size ? PY_SSIZE_T_MAX : pad * size);
        if (charged == NULL) return 0;
        Py_DECREF(charged);
    }
    return open_level(self, node, pad);
}

static int put_member(Emit *self, PyObject *key, PyObject *node)
{
    const Level *level = &self->stack[self->depth - 1];
    int alone = 0;
    if (self->lead) self->begin = self->row;
    if (level->mapping ? !put_key(self, level, key, &alone) : !(put_lead(self, level->pad) && put(self, "-", 1))) return 0;
    if (Py_TYPE(node) == plait_scalar_type) return note_value(self) && put_value(self, scalar_text(self, level, node), 0);
    if (is_map(node) || is_list(node)) {
        PyObject *held = content(node);
        if (held == NULL) return 0;
        if (size_of(held)) return put_container(self, level, node, size_of(held), level->mapping && !alone);
        if (container_tag(node) == NULL) return note_value(self) && put(self, is_map(node) ? " {}" : " []", 3) && end_line(self);
    }
    return note_value(self) && put_value(self, as_text(PyObject_CallMethod(self->writer, "inline", "O", node)), 1);
}

static int run(Emit *self)
{
    Py_ssize_t count = 0;
    while (self->depth) {
        PyObject *key, *node;
        int found = next_member(&self->stack[self->depth - 1], &key, &node);
        if (found < 0) return 0;
        if (!found) {
            close_level(self);
            continue;
        }
        int done = put_member(self, key, node);
        Py_XDECREF(key);
        Py_DECREF(node);
        if (!done || (self->length > PIECE && !flush(self))) return 0;
        if (++count % OFTEN == 0 && PyErr_CheckSignals() < 0) return 0;
    }
    return flush(self);
}

/* emit(writer, root, pad, out, names, unchanged, (indent, dash, item, wide, longest_key, always, sorted), rows): the lines of a
 * container. `rows` is None, or the three lists of `PrintedRows`, which are filled. */
PyObject *plait_emit(PyObject *arguments)
{
    Emit self = {0};
    PyObject *root, *rows;
    Py_ssize_t pad;
    if (!PyArg_ParseTuple(arguments, "OOnO!O!O!(nnnnnpp)O:emit", &self.writer, &root, &pad, &PyList_Type, &self.out, &PyDict_Type,
            &self.names, &PySet_Type, &self.unchanged, &self.indent, &self.dash, &self.item, &self.wide, &self.longest_key,
            &self.always, &self.sorted, &rows)) return NULL;
    if (rows != Py_None && !PyTuple_Check(rows)) {
        PyErr_SetString(PyExc_TypeError, "rows are three lists");
        return NULL;
    }
    if (rows != Py_None && !PyArg_ParseTuple(rows, "O!O!O!", &PyList_Type, &self.values, &PyList_Type, &self.lower, &PyList_Type,
            &self.holders)) return NULL;
    if (plait_scalar_type == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "call prepare first");
        return NULL;
    }
    if (pad < 0 || self.indent < 0 || self.dash < 0 || self.item < 1 || !(is_map(root) || is_list(root))) {
        PyErr_SetString(PyExc_ValueError, "a container is written, with columns that are not negative");
        return NULL;
    }
    int done = open_level(&self, root, pad) && run(&self);
    while (self.depth) close_level(&self);
    PyMem_Free(self.stack);
    PyMem_Free(self.text);
    if (!done) return NULL;
    Py_RETURN_NONE;
}
