/* Origins of many values: the walk over a merge that only has plain values, their places, and the lines that these stand beside.
 *
 * Each function does what one of Python does (plait.merging.account, plait.merging.runs, plait.core.places, plait.report.margin), which
 * decides everything that is unusual; properties compare them. There is no recursion.
 */
#include "nodes.h"

#include <string.h>

enum { PLACE = 3, FEW = 8 }; /* as in plait.merging.runs; more values than FEW at one place are compared in Python */

static inline PyObject *slot(PyObject *object, Py_ssize_t at)
{
    return *(PyObject **)((char *)object + at);
}

static int is_map(PyObject *node)
{
    return PyObject_TypeCheck(node, plait_mapping_type);
}

static int is_list(PyObject *node)
{
    return PyObject_TypeCheck(node, plait_sequence_type);
}

/* What a slot has, or the attribute of that name where it is empty or the node has no such slot; a new reference. */
static PyObject *field(PyObject *node, int scalar, int sequence, int mapping, const char *name)
{
    Py_ssize_t at = -1;
    if (is_map(node)) at = plait_mapping_slots[mapping];
    else if (is_list(node)) at = plait_sequence_slots[sequence];
    else if (scalar >= 0 && PyObject_TypeCheck(node, plait_scalar_type)) at = plait_scalar_slots[scalar];
    PyObject *found = at < 0 ? NULL : slot(node, at);
    return found != NULL ? Py_NewRef(found) : PyObject_GetAttrString(node, name);
}

static PyObject *source_of(PyObject *node)
{
    return field(node, SOURCE, S_SOURCE, M_SOURCE, "source");
}

/* Whether a map or a list has something in a field that is true; -1 where an exception is set. */
static int has(PyObject *node, int sequence, int mapping, const char *name)
{
    PyObject *found = field(node, -1, sequence, mapping, name);
    int full = found == NULL ? -1 : PyObject_IsTrue(found);
    Py_XDECREF(found);
    return full;
}

/* What is just written */

typedef struct {
    PyObject *held; /* owned: the entries of a map, or the items of a list */
    Py_ssize_t next;
} Level;

typedef struct {
    Level *levels;
    Py_ssize_t depth, room;
} Stack;

/* What a map or a list holds is open now; takes it over. */
static int open_level(Stack *stack, PyObject *held, int mapping)
{
    if (held == NULL) return 0;
    if (mapping ? !PyDict_Check(held) : !PyList_Check(held)) {
        PyErr_SetString(PyExc_TypeError, "a map has a dictionary, a list has a list");
        Py_DECREF(held);
        return 0;
    }
    if (stack->depth == stack->room) {
        Py_ssize_t room = stack->room ? stack->room * 2 : 16;
        Level *fresh = PyMem_Realloc(stack->levels, (size_t)room * sizeof(Level));
        if (fresh == NULL) {
            Py_DECREF(held);
            PyErr_NoMemory();
            return 0;
        }
        stack->levels = fresh;
        stack->room = room;
    }
    stack->levels[stack->depth++] = (Level){held, 0};
    return 1;
}

static void close_level(Stack *stack)
{
    stack->depth--;
    Py_CLEAR(stack->levels[stack->depth].held);
}

/* The next node of what is open, as a new reference; NULL at its end. */
static PyObject *next_node(Level *level)
{
    PyObject *key, *node = NULL;
    if (PyDict_Check(level->held)) {
        if (!PyDict_Next(level->held, &level->next, &key, &node)) return NULL;
    } else if (level->next < PyList_GET_SIZE(level->held)) {
        node = PyList_GET_ITEM(level->held, level->next++);
    }
    return Py_XNewRef(node);
}

/* One node of what is written in a source: 1, or 0 where it is something else; -1 where an exception is set. */
static int add_node(Stack *stack, PyObject *node, PyObject *source, PyObject *values, Py_ssize_t *steps)
{
    int scalar = Py_TYPE(node) == plait_scalar_type;
    if (!scalar && !is_map(node) && !is_list(node)) return 0;
    PyObject *own = source_of(node);
    if (own == NULL) return -1;
    Py_DECREF(own);
    if (own != source) return 0;
    if (scalar) {
        *steps += stack->depth + 1;
        return PyList_Append(values, node) < 0 ? -1 : 1;
    }
    int merged = has(node, S_PARTS, M_PARTS, "parts");
    if (merged) return merged < 0 ? -1 : 0;
    PyObject *held = field(node, -1, ITEMS, ENTRIES, is_map(node) ? "entries" : "items");
    if (!open_level(stack, held, is_map(node))) return -1;
    if (PyDict_Check(held) ? PyDict_GET_SIZE(held) : PyList_GET_SIZE(held)) return 1;
    close_level(stack);
    return PyList_Append(values, node) < 0 ? -1 : 1;
}

/* The values of a node are added, if it and everything in it is just written in one source: 1, or 0 where it is not and nothing is
 * added; -1 where an exception is set. */
static int add_written(PyObject *root, PyObject *source, PyObject *values, Py_ssize_t *steps)
{
    Stack stack = {0};
    Py_ssize_t before = PyList_GET_SIZE(values);
    int done = add_node(&stack, root, source, values, steps);
    while (done > 0 && stack.depth) {
        PyObject *node = next_node(&stack.levels[stack.depth - 1]);
        if (node == NULL) close_level(&stack);
        else done = add_node(&stack, node, source, values, steps);
        Py_XDECREF(node);
    }
    while (stack.depth) close_level(&stack);
    PyMem_Free(stack.levels);
    if (!done && PyList_SetSlice(values, before, PyList_GET_SIZE(values), NULL) < 0) return -1;
    return done;
}

static int prepared(void)
{
    if (plait_scalar_type == NULL) PyErr_SetString(PyExc_RuntimeError, "call prepare first");
    return plait_scalar_type != NULL;
}

/* written(root, source): the values of a node and how many steps their paths have; None where not everything is just written there. */
PyObject *plait_written(PyObject *root, PyObject *source)
{
    Py_ssize_t steps = 0;
    PyObject *values = prepared() ? PyList_New(0) : NULL, *result = NULL;
    if (values == NULL) return NULL;
    int done = add_written(root, source, values, &steps);
    if (done >= 0) result = done ? Py_BuildValue("On", values, steps) : Py_NewRef(Py_None);
    Py_DECREF(values);
    return result;
}

/* Rows of a merge */

typedef struct {
    PyObject *last, *several, *parts, *sources, *keys, *values, *lost; /* borrowed */
    PyObject *seen;                                                    /* owned: one of the sources, which most values have */
    Py_ssize_t steps;
} Rows;

/* What each part has at a key, lowest first, as a new list. */
static PyObject *all_of(const Rows *self, PyObject *key)
{
    PyObject *found = PyList_New(0);
    for (Py_ssize_t at = 0; found != NULL && at < PyTuple_GET_SIZE(self->parts); at++) {
        PyObject *entries = PyTuple_GET_ITEM(self->parts, at), *node = NULL;
        if (!PyDict_Check(entries)) PyErr_SetString(PyExc_TypeError, "parts are dictionaries");
        else node = PyDict_GetItemWithError(entries, key);
        if (node != NULL ? PyList_Append(found, node) < 0 : PyErr_Occurred() != NULL) Py_CLEAR(found);
    }
    return found;
}

/* Whether a node was written in one of the files; -1 where an exception is set. */
static int is_of_sources(Rows *self, PyObject *node)
{
    PyObject *source = source_of(node);
    if (source != NULL && source == self->seen) {
        Py_DECREF(source);
        return 1;
    }
    int known = source == NULL ? -1 : PySet_Contains(self->sources, source);
    if (known > 0) Py_XSETREF(self->seen, Py_NewRef(source));
    Py_XDECREF(source);
    return known;
}

/* Whether a single value replaces other single values; -1 where an exception is set. */
static int replaces(Rows *self, PyObject *node, PyObject *found)
{
    Py_ssize_t count = PyList_GET_SIZE(found);
    if (Py_TYPE(node) != plait_scalar_type || count < 2 || count > FEW || PyList_GET_ITEM(found, count - 1) != node) return 0;
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *one = PyList_GET_ITEM(found, at);
        if (Py_TYPE(one) != plait_scalar_type) return 0;
        for (Py_ssize_t other = 0; other < at; other++)
            if (PyList_GET_ITEM(found, other) == one) return 0;
        int known = is_of_sources(self, one);
        if (known <= 0) return known;
    }
    return 1;
}

/* A value with what it overrides, the highest first. */
static int add_replaced(const Rows *self, PyObject *node, PyObject *found)
{
    PyObject *number = PyLong_FromSsize_t(PyList_GET_SIZE(self->values)), *lost = PyList_GetSlice(found, 0, PyList_GET_SIZE(found) - 1);
    int done = number != NULL && lost != NULL && PyList_Reverse(lost) == 0 && PyDict_SetItem(self->lost, number, lost) == 0
        && PyList_Append(self->values, node) == 0;
    Py_XDECREF(number);
    Py_XDECREF(lost);
    return done ? 1 : -1;
}

/* What one part has at a key and the result as it is: 1 where its values are added. */
static int add_alone(Rows *self, PyObject *node)
{
    if (Py_TYPE(node) == plait_scalar_type) return PyList_Append(self->values, node) < 0 ? -1 : 1;
    if (!is_map(node) && !is_list(node)) return 0;
    int live = has(node, S_LIVE, M_LIVE, "live");
    if (live) return live < 0 ? -1 : 0;
    Py_ssize_t before = PyList_GET_SIZE(self->values), weight = 0;
    PyObject *source = source_of(node);
    int done = source == NULL ? -1 : add_written(node, source, self->values, &weight);
    Py_XDECREF(source);
    if (done > 0) self->steps += PyList_GET_SIZE(self->values) - before + weight / 4;
    return done;
}

/* One key of the result: 1 where that is told; 0 where it is left to Python, with what the parts have there; -1 with an exception. */
static int add_row(Rows *self, PyObject *key, PyObject *node, PyObject **found)
{
    int of_sources = is_of_sources(self, node), kept = 0, several = 0;
    if (of_sources < 0) return -1;
    if (PyDict_GET_SIZE(self->keys) && (kept = PyDict_Contains(self->keys, key)) < 0) return -1;
    if (PySet_GET_SIZE(self->several) && (several = PySet_Contains(self->several, key)) < 0) return -1;
    if (several) {
        if ((*found = all_of(self, key)) == NULL) return -1;
        int done = of_sources && !kept ? replaces(self, node, *found) : 0;
        return done > 0 ? add_replaced(self, node, *found) : done;
    }
    PyObject *one = PyDict_GetItemWithError(self->last, key);
    if (one == NULL && PyErr_Occurred()) return -1;
    if (one == node && of_sources && !kept) {
        int done = add_alone(self, node);
        if (done) return done;
        one = PyDict_GetItemWithError(self->last, key); /* something may have been built since */
        if (one == NULL && PyErr_Occurred()) return -1;
    }
    *found = PyList_New(one != NULL);
    if (*found != NULL && one != NULL) PyList_SET_ITEM(*found, 0, Py_NewRef(one));
    return *found == NULL ? -1 : 0;
}

/* plain_rows(entries, at, last, several, parts, sources, keys, values, lost): go on with the keys of a merged map from `at` on, as long
 * as they have plain values, which are added to `values` and `lost`. Gives where it stopped, the steps that it took, and the row that is
 * left to Python: its key, what the result has there, and what the parts have; None at the end. */
PyObject *plait_plain_rows(PyObject *arguments)
{
    Rows self = {0};
    PyObject *entries, *key, *node, *result = NULL;
    Py_ssize_t at;
    if (!prepared()) return NULL;
    if (!PyArg_ParseTuple(arguments, "O!nO!O!O!O!O!O!O!:plain_rows", &PyDict_Type, &entries, &at, &PyDict_Type, &self.last, &PySet_Type,
            &self.several, &PyTuple_Type, &self.parts, &PySet_Type, &self.sources, &PyDict_Type, &self.keys, &PyList_Type, &self.values,
            &PyDict_Type, &self.lost)) return NULL;
    if (at < 0) {
        PyErr_SetString(PyExc_ValueError, "rows are counted from 0");
        return NULL;
    }
    while (PyDict_Next(entries, &at, &key, &node)) {
        PyObject *found = NULL;
        Py_INCREF(key);
        Py_INCREF(node);
        self.steps += PLACE;
        int done = add_row(&self, key, node, &found);
        if (!done) result = Py_BuildValue("nn(OOO)", at, self.steps, key, node, found);
        Py_XDECREF(found);
        Py_DECREF(key);
        Py_DECREF(node);
        if (done <= 0) goto done;
    }
    result = Py_BuildValue("nnO", at, self.steps, Py_None);
done:
    Py_XDECREF(self.seen);
    return result;
}

/* Places */

typedef struct {
    PyObject *prefix;   /* owned: the name of a file and a colon; NULL for what is no file of ours */
    Py_ssize_t *starts; /* where its lines begin */
    Py_ssize_t count, row;
} File;

typedef struct {
    PyObject *plain, *other;  /* borrowed: functions of Python */
    PyObject *numbers;        /* owned: the number of a file by its source */
    PyObject *seen;           /* borrowed: the last source, which `numbers` has */
    File *files;
    Py_ssize_t count, room, number; /* that of the last source */
} Places;

/* The offset of the first line end from an offset on, or that of the end. */
static Py_ssize_t line_end(int kind, const void *data, Py_ssize_t length, Py_ssize_t at)
{
    if (kind == PyUnicode_1BYTE_KIND) {
        const char *found = at < length ? memchr((const char *)data + at, '\n', (size_t)(length - at)) : NULL;
        return found == NULL ? length : found - (const char *)data;
    }
    while (at < length && PyUnicode_READ(kind, data, at) != '\n') at++;
    return at;
}

static int find_lines(File *file, PyObject *text)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), at, count = 1;
    for (at = line_end(kind, data, length, 0); at < length; at = line_end(kind, data, length, at + 1)) count++;
    if ((file->starts = PyMem_New(Py_ssize_t, (size_t)count)) == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    file->starts[file->count++] = 0;
    for (at = line_end(kind, data, length, 0); at < length; at = line_end(kind, data, length, at + 1)) file->starts[file->count++] = at + 1;
    return 1;
}

/* The file of a source that was not seen before; what it is called and its text are asked for. */
static int open_file(Places *self, PyObject *source)
{
    if (self->count == self->room) {
        Py_ssize_t room = self->room ? self->room * 2 : 8;
        File *fresh = PyMem_Realloc(self->files, (size_t)room * sizeof(File));
        if (fresh == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        self->files = fresh;
        self->room = room;
    }
    PyObject *number = PyLong_FromSsize_t(self->count), *told = NULL, *prefix, *text;
    int fine = number != NULL && PyDict_SetItem(self->numbers, source, number) == 0;
    Py_XDECREF(number);
    if (!fine || (told = PyObject_CallOneArg(self->plain, source)) == NULL) return 0;
    File *file = &self->files[self->count];
    *file = (File){0};
    if (told != Py_None) {
        fine = PyTuple_Check(told) && PyArg_ParseTuple(told, "UU", &prefix, &text) && find_lines(file, text);
        if (fine) file->prefix = Py_NewRef(prefix);
        else if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a file is a name and a text");
    }
    Py_DECREF(told);
    self->count += fine;
    return fine;
}

/* The file that a node was written in; NULL with an exception. */
static File *file_of(Places *self, PyObject *node)
{
    PyObject *source = source_of(node), *number;
    if (source == NULL) return NULL;
    if (source != self->seen) {
        Py_ssize_t at = self->count;
        number = PyDict_GetItemWithError(self->numbers, source);
        int fine = number != NULL || (!PyErr_Occurred() && open_file(self, source));
        if (number != NULL) at = PyLong_AsSsize_t(number);
        if (fine && at >= self->count) {
            PyErr_SetString(PyExc_RuntimeError, "a file that is not read yet");
            fine = 0;
        }
        if (!fine) {
            Py_DECREF(source);
            return NULL;
        }
        self->seen = source; /* a key of `numbers` */
        self->number = at;
    }
    Py_DECREF(source);
    return &self->files[self->number];
}

/* How many lines begin at or before an offset. Values mostly come in the order of the file. */
static Py_ssize_t row_at(File *file, Py_ssize_t at)
{
    Py_ssize_t low = 0, high = file->count, row = file->row;
    if (row && file->starts[row - 1] <= at) {
        if (row == file->count || at < file->starts[row]) return row;
        if (row + 1 == file->count || at < file->starts[row + 1]) return file->row = row + 1;
        low = row;
    }
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (file->starts[middle] <= at) low = middle + 1;
        else high = middle;
    }
    return file->row = low;
}

/* A name with a number after it. */
static PyObject *numbered(PyObject *prefix, Py_ssize_t row)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(prefix), count = 1;
    for (Py_ssize_t rest = row; rest >= 10; rest /= 10) count++;
    PyObject *text = PyUnicode_New(length + count, PyUnicode_MAX_CHAR_VALUE(prefix));
    if (text == NULL) return NULL;
    int kind = PyUnicode_KIND(text);
    void *data = PyUnicode_DATA(text);
    memcpy(data, PyUnicode_DATA(prefix), (size_t)(length * kind)); /* both are as wide as the widest letter of the name */
    for (Py_ssize_t at = length + count - 1; at >= length; at--, row /= 10) PyUnicode_WRITE(kind, data, at, (Py_UCS4)('0' + row % 10));
    return text;
}

static PyObject *place_of(Places *self, PyObject *node)
{
    File *file = file_of(self, node);
    if (file == NULL) return NULL;
    if (file->prefix == NULL) return PyObject_CallOneArg(self->other, node);
    PyObject *at = field(node, AT, S_AT, M_AT, "at");
    Py_ssize_t offset = at == NULL ? -1 : PyNumber_AsSsize_t(at, PyExc_OverflowError);
    Py_XDECREF(at);
    return offset == -1 && PyErr_Occurred() ? NULL : numbered(file->prefix, row_at(file, offset));
}

/* origins(nodes, plain, other): file and line of each node. `plain` gives the name of a source with a colon and its text, or None where
 * `other` is to be asked for the place of a node. */
PyObject *plait_origins(PyObject *nodes, PyObject *plain, PyObject *other)
{
    Places self = {.plain = plain, .other = other, .numbers = prepared() ? PyDict_New() : NULL};
    PyObject *found = self.numbers == NULL ? NULL : PyList_New(0);
    for (Py_ssize_t at = 0; found != NULL && at < PyList_GET_SIZE(nodes); at++) {
        PyObject *node = Py_NewRef(PyList_GET_ITEM(nodes, at)), *place = place_of(&self, node);
        if (place == NULL || PyList_Append(found, place) < 0) Py_CLEAR(found);
        Py_XDECREF(place);
        Py_DECREF(node);
    }
    for (Py_ssize_t at = 0; at < self.count; at++) {
        Py_XDECREF(self.files[at].prefix);
        PyMem_Free(self.files[at].starts);
    }
    PyMem_Free(self.files);
    Py_XDECREF(self.numbers);
    return found;
}

/* Lines and what stands beside them */

typedef struct {
    PyObject *text; /* borrowed */
    const void *data;
    Py_ssize_t length, row, start, end; /* the line where it is: its number, from where to where */
    int kind;
} Lines;

static Lines first_line(PyObject *text)
{
    Lines lines = {text, PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), 1, 0, 0, PyUnicode_KIND(text)};
    lines.end = line_end(lines.kind, lines.data, lines.length, 0);
    return lines;
}

/* Go on to a line: 0 where there is none such from here on. */
static int go_to(Lines *lines, Py_ssize_t row)
{
    if (row < lines->row) return 0;
    for (; lines->row < row; lines->row++) {
        if (lines->end == lines->length) return 0;
        lines->start = lines->end + 1;
        lines->end = line_end(lines->kind, lines->data, lines->length, lines->start);
    }
    return 1;
}

/* The number of a line in a list; -1 where an exception is set. */
static Py_ssize_t row_in(PyObject *rows, Py_ssize_t at)
{
    Py_ssize_t row = PyNumber_AsSsize_t(PyList_GET_ITEM(rows, at), PyExc_ValueError);
    if (row < 0 && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "lines are counted from 1");
    return row;
}

/* longest(text, rows): the length of the longest of some lines; None where they are not in their order or not there. */
PyObject *plait_longest(PyObject *text, PyObject *rows)
{
    Lines lines = first_line(text);
    Py_ssize_t longest = 0;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(rows); at++) {
        Py_ssize_t row = row_in(rows, at);
        if (row < 0) return NULL;
        if (!go_to(&lines, row)) Py_RETURN_NONE;
        if (lines.end - lines.start > longest) longest = lines.end - lines.start;
    }
    return PyLong_FromSsize_t(longest);
}

typedef struct {
    Py_ssize_t start, end;             /* the line in the text */
    Py_ssize_t line, pad, before, note; /* how much of it is kept, of the space after it, and of the rest */
} Beside;

/* The length of a text without the space at its end, if it is so long. */
static Py_ssize_t stripped(int kind, const void *data, Py_ssize_t start, Py_ssize_t end)
{
    while (end > start && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end - 1))) end--;
    return end - start;
}

/* How much is kept of a line, the space after it, `before` and a note: no space is at the end. */
static Beside measured(const Lines *lines, Py_ssize_t width, PyObject *before, PyObject *note)
{
    Py_ssize_t line = lines->end - lines->start;
    Beside one = {lines->start, lines->end, line, line < width ? width - line : 0, PyUnicode_GET_LENGTH(before), 0};
    if ((one.note = stripped(PyUnicode_KIND(note), PyUnicode_DATA(note), 0, PyUnicode_GET_LENGTH(note)))) return one;
    if ((one.before = stripped(PyUnicode_KIND(before), PyUnicode_DATA(before), 0, one.before))) return one;
    one.pad = 0;
    one.line = stripped(lines->kind, lines->data, lines->start, lines->end);
    return one;
}

static int copy(PyObject *into, Py_ssize_t *at, PyObject *from, Py_ssize_t start, Py_ssize_t count)
{
    if (count && PyUnicode_CopyCharacters(into, *at, from, start, count) < 0) return 0;
    *at += count;
    return 1;
}

static int fill(PyObject *made, const Lines *lines, PyObject *notes, PyObject *before, const Beside *parts)
{
    Py_ssize_t at = 0, from = 0, count = PyList_GET_SIZE(notes);
    for (Py_ssize_t number = 0; number < count; number++) {
        const Beside *one = &parts[number];
        if (!copy(made, &at, lines->text, from, one->start - from + one->line)) return 0;
        if (one->pad && PyUnicode_Fill(made, at, one->pad, ' ') < 0) return 0;
        at += one->pad;
        if (!copy(made, &at, before, 0, one->before) || !copy(made, &at, PyList_GET_ITEM(notes, number), 0, one->note)) return 0;
        from = one->end;
    }
    return copy(made, &at, lines->text, from, lines->length - from);
}

/* beside(text, rows, notes, width, before): a text in which some lines are filled up to a width, and have `before` and a note after that;
 * None where the lines are not in their order, or not there. */
PyObject *plait_beside(PyObject *text, PyObject *rows, PyObject *notes, Py_ssize_t width, PyObject *before)
{
    Py_ssize_t count = PyList_GET_SIZE(rows), total = PyUnicode_GET_LENGTH(text), last = 0;
    Py_UCS4 widest = PyUnicode_MAX_CHAR_VALUE(text), other = PyUnicode_MAX_CHAR_VALUE(before);
    Beside *parts = PyMem_New(Beside, (size_t)count + 1);
    PyObject *made = NULL, *kept = PyList_GetSlice(notes, 0, PyList_GET_SIZE(notes));
    Lines lines = first_line(text);
    if (parts == NULL || kept == NULL) goto no_memory;
    if (PyList_GET_SIZE(kept) != count) {
        PyErr_SetString(PyExc_ValueError, "each line has one note");
        goto done;
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *note = PyList_GET_ITEM(kept, at);
        Py_ssize_t row = row_in(rows, at);
        if (row < 0 || !PyUnicode_Check(note)) {
            if (row >= 0) PyErr_SetString(PyExc_TypeError, "notes are texts");
            goto done;
        }
        if (row <= last || !go_to(&lines, row)) {
            made = Py_NewRef(Py_None);
            goto done;
        }
        last = row;
        parts[at] = measured(&lines, width, before, note);
        total += parts[at].line - (lines.end - lines.start);
        if (parts[at].pad > PY_SSIZE_T_MAX / 4 - total || parts[at].before + parts[at].note > PY_SSIZE_T_MAX / 4) goto no_memory;
        total += parts[at].pad + parts[at].before + parts[at].note;
        if (PyUnicode_MAX_CHAR_VALUE(note) > other) other = PyUnicode_MAX_CHAR_VALUE(note);
    }
    made = PyUnicode_New(total, other > widest ? other : widest);
    if (made != NULL && !fill(made, &lines, kept, before, parts)) Py_CLEAR(made);
    if (made != NULL && !PyUnicode_IS_ASCII(made)) /* what needed so wide a text may have been space at the end of a line */
        Py_SETREF(made, PyUnicode_FromKindAndData(PyUnicode_KIND(made), PyUnicode_DATA(made), total));
    goto done;
no_memory:
    PyErr_NoMemory();
done:
    Py_XDECREF(kept);
    PyMem_Free(parts);
    return made;
}
