#include "scan.h"

/* What a function answers: go on, give the text to the other reader, or a Python exception is set. */
typedef enum { OK = 0, GIVE_UP = 1, FAILED = 2 } Result;

#define TRY(call) do { Result result_ = (call); if (result_ != OK) return result_; } while (0)

typedef struct {
    PyObject *tag, *anchor;  /* owned, or NULL */
    Py_ssize_t at, end;      /* where they are; -1: nothing is pending */
} Props;

typedef struct {
    int kind;                /* MAP or SEQ */
    int waiting;             /* whether a value is due: behind a colon or a dash */
    Py_ssize_t indent;
    Py_ssize_t value_at;     /* where that value would be, if it is null */
    Props props;             /* a tag or an anchor at the end of a line, for what is below */
} Frame;

typedef struct {
    PyObject *source;
    int width;               /* bytes of a character, as Python keeps the text */
    const void *data;
    Py_ssize_t length, at, line;
    Py_ssize_t depth;
    Frame *frames;
    Py_ssize_t open, room;
    char *flows;             /* for each open bracket: what it waits for */
    Py_ssize_t flow_open, flow_room;
    Columns out;
    int complete;            /* whether the document has its value */
    int places;              /* whether ends are asked for, too; a text that is written as it is read is then not cut out */
    Py_ssize_t opened;       /* where the document begins, behind its `---` */
    Py_UCS4 *buffer;         /* for texts that are not written as they are read */
    Py_ssize_t filled, buffer_room;
} Reader;

static inline Py_UCS4 sign_at(const Reader *self, Py_ssize_t at)
{
    switch (self->width) {
    case 1: return ((const Py_UCS1 *)self->data)[at];
    case 2: return ((const Py_UCS2 *)self->data)[at];
    default: return ((const Py_UCS4 *)self->data)[at];
    }
}

/* The end is the end of a line, and `\r`, which only comes before `\n`, is a blank behind the line. */
static inline Py_UCS4 look(const Reader *self, Py_ssize_t at)
{
    if (at >= self->length) return '\n';
    Py_UCS4 sign = sign_at(self, at);
    return sign == '\r' ? ' ' : sign;
}

static inline int is_end(Py_UCS4 sign) { return sign == ' ' || sign == '\n'; }
static inline int is_blank(Py_UCS4 sign) { return sign == ' ' || sign == '\t'; }
static inline int is_bracket(Py_UCS4 sign)
{
    return sign == ',' || sign == '[' || sign == ']' || sign == '{' || sign == '}';
}
static inline int is_name(Py_UCS4 sign)
{
    return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') || (sign >= '0' && sign <= '9')
        || sign == '_' || sign == '-';
}

/* Memory */

static int grow(void **array, Py_ssize_t *room, Py_ssize_t wanted, size_t size)
{
    if (wanted <= *room) return 1;
    Py_ssize_t more = *room ? *room : 64;
    while (more < wanted) {
        if (more > PY_SSIZE_T_MAX / 2 / (Py_ssize_t)size) { PyErr_NoMemory(); return 0; }
        more *= 2;
    }
    void *fresh = PyMem_Realloc(*array, (size_t)more * size);
    if (fresh == NULL) { PyErr_NoMemory(); return 0; }
    *array = fresh;
    *room = more;
    return 1;
}

static Result push_char(Reader *self, Py_UCS4 sign)
{
    if (!grow((void **)&self->buffer, &self->buffer_room, self->filled + 1, sizeof(Py_UCS4))) return FAILED;
    self->buffer[self->filled++] = sign;
    return OK;
}

static Result push_span(Reader *self, Py_ssize_t start, Py_ssize_t end)
{
    if (!grow((void **)&self->buffer, &self->buffer_room, self->filled + (end - start), sizeof(Py_UCS4))) return FAILED;
    for (Py_ssize_t at = start; at < end; at++) self->buffer[self->filled++] = look(self, at);
    return OK;
}

static Result push_breaks(Reader *self, Py_ssize_t count)
{
    for (; count > 0; count--) TRY(push_char(self, '\n'));
    return OK;
}

static PyObject *buffered(const Reader *self)
{
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, self->buffer, self->filled);
}

static void drop_props(Props *props)
{
    Py_CLEAR(props->tag);
    Py_CLEAR(props->anchor);
    props->at = props->end = -1;
}

static void clear_columns(Columns *out)
{
    for (Py_ssize_t i = 0; i < out->count; i++) Py_XDECREF(out->texts[i]);
    out->count = 0;
    Py_CLEAR(out->props);
}

static void release(Reader *self)
{
    clear_columns(&self->out);
    PyMem_Free(self->out.kinds);
    PyMem_Free(self->out.ats);
    PyMem_Free(self->out.ends);
    PyMem_Free(self->out.texts);
    for (Py_ssize_t i = 0; i < self->open; i++) drop_props(&self->frames[i].props);
    PyMem_Free(self->frames);
    PyMem_Free(self->flows);
    PyMem_Free(self->buffer);
}

/* Steps */

static Result steps_room(Columns *out)
{
    if (out->count < out->room) return OK;
    Py_ssize_t wanted = out->count + 1, kinds = out->room, ats = out->room, ends = out->room, texts = out->room;
    if (!grow((void **)&out->kinds, &kinds, wanted, 1)) return FAILED;
    if (!grow((void **)&out->ats, &ats, wanted, sizeof(Py_ssize_t))) return FAILED;
    if (!grow((void **)&out->ends, &ends, wanted, sizeof(Py_ssize_t))) return FAILED;
    if (!grow((void **)&out->texts, &texts, wanted, sizeof(PyObject *))) return FAILED;
    out->room = kinds;
    return OK;
}

/* Adds a step; takes over `text` and what `props` hold, whatever happens. */
static Result add(Reader *self, int kind, Py_ssize_t at, Py_ssize_t end, PyObject *text, Props *props)
{
    Columns *out = &self->out;
    Result result = steps_room(out);
    if (result == OK && props != NULL && props->at >= 0) {
        PyObject *pair = PyTuple_Pack(2, props->tag ? props->tag : Py_None, props->anchor ? props->anchor : Py_None);
        PyObject *step = PyLong_FromSsize_t(out->count);
        if (pair == NULL || step == NULL || PyDict_SetItem(out->props, step, pair) < 0) result = FAILED;
        Py_XDECREF(pair);
        Py_XDECREF(step);
        kind += PROPS;
        at = props->at;
        if (end < props->end) end = props->end;
        drop_props(props);
    }
    if (result != OK) {
        Py_XDECREF(text);
        return result;
    }
    out->kinds[out->count] = (unsigned char)kind;
    out->ats[out->count] = at;
    out->ends[out->count] = end < 0 ? at : end;
    out->texts[out->count++] = text;
    return OK;
}

/* A text that is written as it is read; NULL where the places of its step will say which it is. */
static Result span(const Reader *self, Py_ssize_t start, Py_ssize_t end, const Props *props, PyObject **text)
{
    int tagged = props != NULL && props->at >= 0;  /* the step begins before its text */
    *text = self->places && !tagged ? NULL : PyUnicode_Substring(self->source, start, end);
    return *text == NULL && PyErr_Occurred() ? FAILED : OK;
}

static Result add_span(Reader *self, int kind, Py_ssize_t start, Py_ssize_t end, Props *props)
{
    PyObject *text;
    TRY(span(self, start, end, props, &text));
    return add(self, kind, start, end, text, props);
}

static Result add_null(Reader *self, Py_ssize_t at, Props *props)
{
    PyObject *text;
    TRY(span(self, at, at, props, &text));
    return add(self, PLAIN, at, -1, text, props);
}

static Frame *top(Reader *self) { return self->open ? &self->frames[self->open - 1] : NULL; }
static Py_ssize_t parent_indent(Reader *self) { return self->open ? top(self)->indent : -1; }

static Result begin_block(Reader *self, int kind, Py_ssize_t indent, Py_ssize_t at)
{
    Frame *above = top(self);
    Props none = {NULL, NULL, -1, -1};
    if (above == NULL ? self->complete : !above->waiting) return GIVE_UP;
    if (self->open + self->flow_open >= self->depth) return GIVE_UP;
    TRY(add(self, kind, at, at, NULL, above ? &above->props : &none));
    if (!grow((void **)&self->frames, &self->room, self->open + 1, sizeof(Frame))) return FAILED;
    self->frames[self->open++] = (Frame){kind, 0, indent, at, {NULL, NULL, -1, -1}};
    return OK;
}

/* The node that was due is there. */
static void placed(Reader *self)
{
    if (self->open) top(self)->waiting = 0; else self->complete = 1;
}

static Result fill(Reader *self, Frame *frame)
{
    if (!frame->waiting) return OK;
    TRY(add_null(self, frame->value_at, &frame->props));
    frame->waiting = 0;
    return OK;
}

static Result close_block(Reader *self, Py_ssize_t at)
{
    TRY(fill(self, top(self)));
    self->open--;
    TRY(add(self, END, at, at, NULL, NULL));
    placed(self);
    return OK;
}

/* Behind a node on its line: spaces, and perhaps a comment. Ends at the start of the next line. */
static Result end_line(Reader *self)
{
    while (is_blank(look(self, self->at))) self->at++;
    if (look(self, self->at) == '#') {
        if (self->at == 0 || !is_blank(look(self, self->at - 1))) return GIVE_UP;
        while (look(self, self->at) != '\n') self->at++;
    }
    if (look(self, self->at) != '\n') return GIVE_UP;
    if (self->at < self->length) self->at++;
    self->line = self->at;
    return OK;
}

/* Scalars */

static Result hex(Reader *self, Py_ssize_t at, int digits, Py_UCS4 *found)
{
    Py_UCS4 code = 0;
    for (int i = 0; i < digits; i++) {
        Py_UCS4 sign = look(self, at + i);
        int digit = sign >= '0' && sign <= '9' ? (int)(sign - '0')
            : sign >= 'a' && sign <= 'f' ? (int)(sign - 'a') + 10
            : sign >= 'A' && sign <= 'F' ? (int)(sign - 'A') + 10 : -1;
        if (digit < 0) return GIVE_UP;
        code = code * 16 + (Py_UCS4)digit;
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return GIVE_UP;
    *found = code;
    return OK;
}

static Result escape(Reader *self, Py_ssize_t *at)
{
    static const char names[] = "0abtnvfre \"/\\";
    static const char signs[] = "\0\a\b\t\n\v\f\r\x1b \"/\\";
    Py_UCS4 sign = look(self, *at), code = 0;
    int digits = sign == 'x' ? 2 : sign == 'u' ? 4 : sign == 'U' ? 8 : 0;
    if (digits) {
        TRY(hex(self, *at + 1, digits, &code));
        *at += 1 + digits;
        return push_char(self, code);
    }
    for (size_t i = 0; i + 1 < sizeof(names); i++)
        if ((Py_UCS4)(unsigned char)names[i] == sign) {
            *at += 1;
            return push_char(self, (Py_UCS4)(unsigned char)signs[i]);
        }
    return GIVE_UP;
}

static int is_document_mark(Reader *self, Py_ssize_t at)
{
    Py_UCS4 sign = look(self, at);
    return (sign == '-' || sign == '.') && look(self, at + 1) == sign && look(self, at + 2) == sign
        && (is_end(look(self, at + 3)) || look(self, at + 3) == '\t');
}

/* To the first sign of the next line that is not empty, from a line break in quotes; `*breaks` counts the breaks. */
static Result next_line(Reader *self, Py_ssize_t *at, Py_ssize_t *breaks)
{
    for (*breaks = 0; look(self, *at) == '\n'; ++*breaks) {
        if (*at >= self->length) return GIVE_UP;
        self->line = ++*at;
        while (look(self, *at) == ' ') ++*at;
    }
    if (look(self, *at) == '\t' || *at - self->line <= parent_indent(self)) return GIVE_UP;
    return *at == self->line && is_document_mark(self, *at) ? GIVE_UP : OK;
}

/* A break in quotes: blanks around it are no part of the text, one break is a space, and more of them are one less. */
static Result fold_quoted(Reader *self, Py_ssize_t from, Py_ssize_t *at)
{
    Py_ssize_t end = *at, breaks;
    while (end > from && is_blank(look(self, end - 1))) end--;
    TRY(push_span(self, from, end));
    TRY(next_line(self, at, &breaks));
    return breaks == 1 ? push_char(self, ' ') : push_breaks(self, breaks - 1);
}

/* A backslash: what it stands for. Before the end of a line it joins the lines. */
static Result escaped(Reader *self, Py_ssize_t from, Py_ssize_t *at)
{
    Py_ssize_t breaks;
    TRY(push_span(self, from, *at));
    ++*at;
    if (*at < self->length && sign_at(self, *at) == '\r') ++*at;
    if (look(self, *at) != '\n') return escape(self, at);
    TRY(next_line(self, at, &breaks));
    return push_breaks(self, breaks - 1);
}

/* A text in quotes; `*text` is new, or NULL as `span` has it. */
static Result quoted(Reader *self, const Props *props, PyObject **text)
{
    Py_UCS4 quote = look(self, self->at);
    Py_ssize_t start = self->at + 1, at = start, from = start;
    self->filled = 0;
    for (;;) {
        Py_UCS4 sign = look(self, at);
        if (sign == '\n') {
            TRY(fold_quoted(self, from, &at));
            from = at;
        } else if (sign == quote && quote == '\'' && look(self, at + 1) == '\'' && at + 1 < self->length) {
            TRY(push_span(self, from, at + 1));
            from = at += 2;
        } else if (sign == quote) {
            break;
        } else if (sign == '\\' && quote == '"') {
            TRY(escaped(self, from, &at));
            from = at;
        } else {
            at++;
        }
    }
    self->at = at + 1;
    if (from == start) return span(self, start, at, props, text);
    TRY(push_span(self, from, at));
    *text = buffered(self);
    return *text == NULL ? FAILED : OK;
}

/* Where the plain text on this line ends, without blanks behind it. `*stop` is ':' for a key, '#' for a comment, '\n', or a bracket. */
static Result plain_line(Reader *self, Py_ssize_t at, int flow, Py_ssize_t *end, Py_UCS4 *stop)
{
    Py_ssize_t last = at;
    for (;; at++) {
        Py_UCS4 sign = look(self, at);
        if (sign > '}' || (sign >= '@' && sign < '[') || (sign >= 'a' && sign < '{')) {
            last = at + 1;
            continue;
        }
        if (sign == '\n' || (flow && is_bracket(sign))) { *stop = sign; break; }
        if (is_blank(sign)) {
            if (look(self, at + 1) == '#') { *stop = '#'; break; }
            continue;
        }
        if (sign == ':') {
            Py_UCS4 next = look(self, at + 1);
            if (next == '\t' || (flow && is_bracket(next))) return GIVE_UP;
            if (is_end(next)) { *stop = ':'; break; }
        }
        last = at + 1;
    }
    *end = last;
    return OK;
}

/* Whether a plain text can begin here. */
static int starts_plain(Reader *self, int flow)
{
    Py_UCS4 sign = look(self, self->at), next = look(self, self->at + 1);
    if (sign == '-') return !is_end(next) && next != '\t' && !(flow && is_bracket(next));
    if (sign == '?' || sign == ':') return !flow && !is_end(next) && next != '\t';
    if (sign < 128 && strchr(",[]{}#&*!|>'\"%@`\t\n ", (int)sign)) return 0;
    return 1;
}

/* A plain text that is a value, with the lines that continue it. */
static Result plain_value(Reader *self, Py_ssize_t end, Py_UCS4 stop, Props *props)
{
    Py_ssize_t start = self->at, indent = parent_indent(self), more = 0;
    self->filled = 0;
    self->at = end;
    while (stop == '\n') {
        Py_ssize_t at = end, breaks = 0, line = self->line;
        while (at < self->length) {  /* to the next line that is not empty */
            while (look(self, at) == ' ') at++;
            if (at >= self->length || look(self, at) != '\n') break;
            line = ++at;
            breaks++;
        }
        if (at >= self->length || !breaks || look(self, at) == '#' || at - line <= indent) break;
        if (look(self, at) == '\t') return GIVE_UP;
        if (at == line && is_document_mark(self, at)) break;
        if (!more++) TRY(push_span(self, start, end));
        Py_ssize_t from = at;
        TRY(plain_line(self, from, 0, &end, &stop));
        if (stop == ':' || end == from) return GIVE_UP;
        if (breaks == 1) TRY(push_char(self, ' ')); else TRY(push_breaks(self, breaks - 1));
        TRY(push_span(self, from, end));
        self->at = end;
        self->line = line;
    }
    if (!more) return add_span(self, PLAIN, start, end, props);
    PyObject *text = buffered(self);
    return text == NULL ? FAILED : add(self, PLAIN, start, end, text, props);
}

static Py_ssize_t line_end(Reader *self, Py_ssize_t at)
{
    while (look(self, at) != '\n') at++;
    return at;
}

/* One line of a folded text joins those before it. */
static Result fold(Reader *self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t empty, int first, int *indented_before)
{
    int indented = look(self, start) == ' ' || look(self, start) == '\t';
    if (first) TRY(push_breaks(self, empty));
    else if (indented || *indented_before) TRY(push_breaks(self, empty + 1));
    else if (empty) TRY(push_breaks(self, empty));
    else TRY(push_char(self, ' '));
    *indented_before = indented;
    return push_span(self, start, end);
}

/* `|` or `>` behind a key or a dash; ends at the start of the line below it. */
static Result block_scalar(Reader *self)
{
    Py_ssize_t start = self->at, parent = parent_indent(self), indent = -1, empty = 0;
    Py_UCS4 style = look(self, start), chomp = look(self, start + 1);
    int indented = 0, first = 1;
    Py_UCS4 more = chomp == '+' || chomp == '-' ? look(self, start + 2) : chomp;  /* how far it is indented */
    if (more >= '1' && more <= '9') {
        if (more == chomp) chomp = look(self, start + 2);
        indent = parent + (Py_ssize_t)(more - '0');
        self->at++;
    }
    if (chomp == '+' || chomp == '-') self->at++; else chomp = 0;
    self->at++;
    while (look(self, self->at) == ' ') self->at++;
    if (look(self, self->at) != '\n' || self->at >= self->length || !self->open) return GIVE_UP;
    Py_ssize_t at = self->at + 1;
    self->filled = 0;
    while (at < self->length) {
        Py_ssize_t text = at, below = line_end(self, at) + 1, end = below - 1;
        if (end >= self->length) return GIVE_UP;  /* the last line is not ended */
        if (end > at && sign_at(self, end - 1) == '\r') end--;
        while (text < end && look(self, text) == ' ' && (indent < 0 || text - at < indent)) text++;
        if (look(self, text) == '\t' && text - at != indent) return GIVE_UP;
        if (text == end && text - at != indent) {  /* an empty line; none with blanks may come first */
            if (indent < 0 && text > at) return GIVE_UP;
            empty++;
            at = below;
            continue;
        }
        if (indent < 0) {
            indent = text - at;
            if (indent <= parent) return GIVE_UP;
        }
        if (text - at < indent) break;
        if (text == end) {
            empty++;
        } else {
            if (style == '>') TRY(fold(self, text, end, empty, first, &indented));
            else {
                TRY(push_breaks(self, empty + !first));
                TRY(push_span(self, text, end));
            }
            first = 0;
            empty = 0;
        }
        at = below;
    }
    if (first) return GIVE_UP;
    if (chomp != '-') TRY(push_breaks(self, chomp == '+' ? empty + 1 : 1));
    PyObject *body = buffered(self);
    if (body == NULL) return FAILED;
    self->at = self->line = at;
    TRY(add(self, TEXT, start, at, body, NULL));
    placed(self);
    return OK;
}

/* Tags, anchors, aliases */

static Result name(Reader *self, PyObject **found, int flow)
{
    Py_ssize_t start = self->at + 1, at = start;
    while (is_name(look(self, at)) && at < self->length) at++;
    Py_UCS4 next = look(self, at);
    if (at == start || !(is_end(next) || (flow && (next == ',' || next == ']' || next == '}')))) return GIVE_UP;
    *found = PyUnicode_Substring(self->source, start, at);
    self->at = at;
    return *found == NULL ? FAILED : OK;
}

static Result tag(Reader *self, Props *props)
{
    Py_ssize_t start = self->at, at = start + 1;
    int standard = look(self, at) == '!';
    if (standard) at++;
    Py_ssize_t from = at;
    for (; at < self->length; at++) {
        Py_UCS4 sign = look(self, at);
        if (!is_name(sign) && sign != '.' && sign != ':' && sign != '/') break;
    }
    if (!is_end(look(self, at)) || at == from) return GIVE_UP;
    PyObject *body = PyUnicode_Substring(self->source, standard ? from : start, at);
    if (body == NULL) return FAILED;
    props->tag = standard ? PyUnicode_FromFormat("tag:yaml.org,2002:%U", body) : Py_NewRef(body);
    Py_DECREF(body);
    self->at = at;
    return props->tag == NULL ? FAILED : OK;
}

/* Tags and anchors before a value; ends at what follows them on the line. */
static Result properties(Reader *self, Props *props)
{
    for (;;) {
        Py_UCS4 sign = look(self, self->at);
        if ((sign == '!' && props->tag) || (sign == '&' && props->anchor)) return GIVE_UP;
        if (sign != '!' && sign != '&') return OK;
        if (props->at < 0) props->at = self->at;
        TRY(sign == '!' ? tag(self, props) : name(self, &props->anchor, 0));
        props->end = self->at;
        while (look(self, self->at) == ' ') self->at++;
    }
}

/* Between brackets */

enum { ITEM, AFTER_ITEM, KEY, AFTER_KEY, VALUE, AFTER_VALUE };

static Result open_flow(Reader *self, Props *props)
{
    int list = look(self, self->at) == '[';
    if (self->open + self->flow_open >= self->depth) return GIVE_UP;
    TRY(add(self, list ? SEQ : MAP, self->at, self->at, NULL, props));
    if (!grow((void **)&self->flows, &self->flow_room, self->flow_open + 1, 1)) return FAILED;
    self->flows[self->flow_open++] = list ? ITEM : KEY;
    self->at++;
    return OK;
}

/* Blanks, comments and line breaks between brackets; `*crossed` tells of a break. */
static Result flow_gap(Reader *self, int *crossed)
{
    *crossed = 0;
    for (;;) {
        Py_UCS4 sign = look(self, self->at);
        if (self->at >= self->length) return GIVE_UP;
        if (sign == ' ') {
            self->at++;
        } else if (sign == '\n') {
            self->line = ++self->at;
            *crossed = 1;
        } else if (sign == '#') {
            Py_UCS4 before = look(self, self->at - 1);
            if (before != ' ' && before != '\n') return GIVE_UP;
            self->at = line_end(self, self->at);
        } else {
            if (sign == '\t') return GIVE_UP;
            if (*crossed && is_document_mark(self, self->at) && self->at == self->line) return GIVE_UP;
            Py_ssize_t least = parent_indent(self) + (sign == ']' || sign == '}' ? 0 : 1);
            return *crossed && self->at - self->line < least ? GIVE_UP : OK;
        }
    }
}

static void flow_placed(Reader *self)
{
    char *state = &self->flows[self->flow_open - 1];
    *state = *state == ITEM ? AFTER_ITEM : *state == KEY ? AFTER_KEY : AFTER_VALUE;
}

static Result flow_scalar(Reader *self, Props *props)
{
    Py_UCS4 sign = look(self, self->at), stop;
    Py_ssize_t start = self->at, end;
    if (sign == '*') {
        PyObject *alias = NULL;
        if (props->at >= 0 || self->flows[self->flow_open - 1] == KEY) return GIVE_UP;
        TRY(name(self, &alias, 1));
        return add(self, ALIAS, start, self->at, alias, NULL);
    }
    if (sign == '"' || sign == '\'') {
        PyObject *text = NULL;
        Py_ssize_t line = self->line;
        TRY(quoted(self, props, &text));
        if (self->line != line && self->flows[self->flow_open - 1] == KEY) {
            Py_XDECREF(text);
            return GIVE_UP;
        }
        return add(self, TEXT, start, self->at, text, props);
    }
    if (!starts_plain(self, 1)) return GIVE_UP;
    TRY(plain_line(self, self->at, 1, &end, &stop));
    if (stop == '\n' || stop == '#') {  /* only a comma or a bracket may come next: else the text goes on */
        Py_ssize_t at = end;
        while (at < self->length && (look(self, at) == ' ' || look(self, at) == '\n')) at++;
        Py_UCS4 next = look(self, at);
        if (stop == '\n' && next != ',' && next != ']' && next != '}' ) return GIVE_UP;
    }
    self->at = end;
    return add_span(self, PLAIN, start, end, props);
}

static Result flow_colon(Reader *self, int crossed)
{
    char *state = &self->flows[self->flow_open - 1];
    Py_UCS4 next = look(self, self->at + 1);
    int before = self->out.kinds[self->out.count - 1], touches = before == TEXT;
    if (*state != AFTER_KEY || crossed || next == ':' || next == '\t') return GIVE_UP;
    if (before == END) return GIVE_UP;  /* `{{x}: 1}`; a template without quotes, `{{ x }}`, has no colon */
    if (!is_end(next) && !touches) return GIVE_UP;
    *state = VALUE;
    self->at++;
    return OK;
}

/* A comma or a closing bracket completes what was begun. */
static Result flow_complete(Reader *self)
{
    char *state = &self->flows[self->flow_open - 1];
    if (*state == AFTER_KEY || *state == VALUE) {
        TRY(add_null(self, self->at, NULL));
        *state = AFTER_VALUE;
    }
    return OK;
}

static Result flow(Reader *self, Props *props)
{
    Py_ssize_t base = self->flow_open;
    int crossed;
    TRY(open_flow(self, props));
    while (self->flow_open > base) {
        TRY(flow_gap(self, &crossed));
        char *state = &self->flows[self->flow_open - 1];
        Py_UCS4 sign = look(self, self->at);
        if (sign == ']' || sign == '}') {
            TRY(flow_complete(self));
            int list = *state == ITEM || *state == AFTER_ITEM;
            if (list != (sign == ']')) return GIVE_UP;
            TRY(add(self, END, self->at, self->at + 1, NULL, NULL));
            self->at++;
            self->flow_open--;
            if (self->flow_open > base) flow_placed(self);
        } else if (sign == ',') {
            TRY(flow_complete(self));
            if (*state != AFTER_ITEM && *state != AFTER_VALUE) return GIVE_UP;
            *state = *state == AFTER_ITEM ? ITEM : KEY;
            self->at++;
        } else if (sign == ':') {
            TRY(flow_colon(self, crossed));
        } else {
            if (*state != ITEM && *state != KEY && *state != VALUE) return GIVE_UP;
            Props own = {NULL, NULL, -1, -1};
            Result result = properties(self, &own);
            sign = look(self, self->at);
            if (result == OK && own.at >= 0 && (sign == '\n' || sign == '#' || sign == ':')) result = GIVE_UP;
            if (result == OK && (sign == '[' || sign == '{')) {
                result = *state == KEY && own.at >= 0 ? GIVE_UP : open_flow(self, &own);
            } else if (result == OK) {
                result = flow_scalar(self, &own);
                if (result == OK) flow_placed(self);
            }
            drop_props(&own);
            if (result != OK) return result;
        }
    }
    return OK;
}

/* Blocks */

/* A key and its colon, at a column; the text belongs to us. */
static Result key(Reader *self, Py_ssize_t column, Py_ssize_t start, Py_ssize_t end, Py_ssize_t colon, int kind, PyObject *text)
{
    Frame *frame = top(self);
    Result result = OK;
    if (colon - start > 1000) result = GIVE_UP;
    else if (frame == NULL || frame->kind != MAP || frame->indent != column) result = begin_block(self, MAP, column, start);
    else if (frame->waiting) result = fill(self, frame);
    if (result != OK) {
        Py_XDECREF(text);
        return result;
    }
    TRY(add(self, kind, start, end, text, NULL));
    frame = top(self);
    frame->waiting = 1;
    frame->value_at = self->at = colon + 1;
    return OK;
}

static int colon_follows(Reader *self, Py_ssize_t *colon)
{
    Py_ssize_t at = self->at;
    while (look(self, at) == ' ') at++;
    *colon = at;
    return look(self, at) == ':';
}

/* One node, or a key; `fresh` where a block can begin. `*inside` tells that more of the node follows on this line. */
static Result node(Reader *self, int fresh, int *inside)
{
    Py_ssize_t start = self->at, column = start - self->line, end, colon;
    Py_UCS4 sign = look(self, start), stop;
    Frame *above = top(self);
    *inside = 0;
    if (sign == '-' && is_end(look(self, start + 1))) {
        if (!fresh) return GIVE_UP;
        if (above == NULL || above->kind != SEQ || above->indent != column || above->waiting) TRY(begin_block(self, SEQ, column, start));
        above = top(self);
        above->waiting = 1;
        above->value_at = ++self->at;
        *inside = 1;
        return OK;
    }
    int due = above == NULL ? !self->complete : above->waiting;
    Props props = {NULL, NULL, -1, -1};
    if (sign == '!' || sign == '&') {
        Result result = !due || (above && above->props.at >= 0) ? GIVE_UP : properties(self, &props);
        sign = look(self, self->at);
        if (result == OK && fresh && above && column <= above->indent) result = GIVE_UP;
        if (result == OK && (sign == '\n' || sign == '#')) {  /* for what is on the lines below */
            result = above ? end_line(self) : GIVE_UP;
            if (result == OK) {
                above->props = props;
                return OK;
            }
        }
        if (result == OK && (sign == '|' || sign == '>' || sign == '*' || (sign == '-' && is_end(look(self, self->at + 1))))) result = GIVE_UP;
        if (result != OK) {
            drop_props(&props);
            return result;
        }
    } else if (sign == '|' || sign == '>') {
        int behind = !fresh || (above && above->kind == SEQ && above->value_at > self->line);  /* a key or a dash */
        if (!due || !behind || (above && above->props.at >= 0)) return GIVE_UP;
        return block_scalar(self);
    }
    Result result = OK;
    int tagged = props.at >= 0;
    if (sign == '"' || sign == '\'') {
        PyObject *text = NULL;
        Py_ssize_t line = self->line;
        start = self->at;
        result = quoted(self, &props, &text);
        if (result == OK && colon_follows(self, &colon)) {
            if (!fresh || tagged || self->line != line || !is_end(look(self, colon + 1))) {
                Py_XDECREF(text);
                result = GIVE_UP;
            } else {
                *inside = 1;
                return key(self, column, start, self->at, colon, TEXT, text);
            }
        } else if (result == OK) {
            if (!due || (fresh && above && (column <= above->indent || above->props.at >= 0))) {
                Py_XDECREF(text);
                result = GIVE_UP;
            } else {
                result = add(self, TEXT, start, self->at, text, &props);
            }
        }
    } else if (sign == '[' || sign == '{') {
        if (!due || (fresh && above && (column <= above->indent || above->props.at >= 0))) result = GIVE_UP;
        else result = flow(self, &props);
        if (result == OK && colon_follows(self, &colon)) result = GIVE_UP;
    } else if (sign == '*') {
        PyObject *alias = NULL;
        if (!due || (fresh && above && (column <= above->indent || above->props.at >= 0))) return GIVE_UP;
        TRY(name(self, &alias, 0));
        TRY(add(self, ALIAS, start, self->at, alias, NULL));
        if (colon_follows(self, &colon)) return GIVE_UP;
    } else {
        result = starts_plain(self, 0) ? plain_line(self, self->at, 0, &end, &stop) : GIVE_UP;
        if (result == OK && stop == ':') {
            if (!fresh || tagged) {
                result = GIVE_UP;
            } else {
                Py_ssize_t at = end;
                while (look(self, at) == ' ') at++;
                if (look(self, at) != ':') return GIVE_UP;  /* a tab */
                PyObject *text;
                TRY(span(self, start, end, NULL, &text));
                *inside = 1;
                return key(self, column, start, end, at, PLAIN, text);
            }
        }
        if (result == OK && (!due || (fresh && above && (column <= above->indent || above->props.at >= 0)))) result = GIVE_UP;
        if (result == OK) result = plain_value(self, end, stop, &props);
    }
    drop_props(&props);
    if (result != OK) return result;
    TRY(end_line(self));
    placed(self);
    return OK;
}

/* All that begins on one line. */
static Result block_line(Reader *self)
{
    int fresh = 1, inside = 0;
    for (;;) {
        TRY(node(self, fresh, &inside));
        if (!inside) return OK;
        fresh = self->out.kinds[self->out.count - 1] == SEQ || look(self, self->at - 1) == '-';
        while (look(self, self->at) == ' ') self->at++;
        if (look(self, self->at) == '\t') return GIVE_UP;
        if (look(self, self->at) == '\n' || look(self, self->at) == '#') return end_line(self);
    }
}

/* Close what a line at a column no longer belongs to. */
static Result dedent(Reader *self, Py_ssize_t column)
{
    int dash = look(self, self->at) == '-' && is_end(look(self, self->at + 1));
    while (self->open) {
        Frame *frame = top(self);
        Frame *below = self->open > 1 ? frame - 1 : NULL;
        if (column > frame->indent) return frame->waiting ? OK : GIVE_UP;
        if (column == frame->indent) {
            if (frame->kind == MAP) return dash && !frame->waiting ? GIVE_UP : OK;
            if (dash) return fill(self, frame);
            if (below == NULL || below->kind != MAP || below->indent != column) return GIVE_UP;
        }
        TRY(close_block(self, self->at));
    }
    return self->complete ? GIVE_UP : OK;
}

/* For each container the step that closes it, for each end the one that opened it, for the others themselves. */
static Result pair(const Columns *out, int32_t *pairs, Py_ssize_t depth)
{
    int32_t *stack = PyMem_Malloc((size_t)(depth + 1) * sizeof(int32_t));
    Py_ssize_t open = 0;
    if (stack == NULL) { PyErr_NoMemory(); return FAILED; }
    for (int32_t i = 0; i < out->count; i++) {
        int kind = out->kinds[i] & ~PROPS;
        pairs[i] = i;
        if (kind == MAP || kind == SEQ) {
            stack[open++] = i;
        } else if (kind == END) {
            pairs[i] = stack[--open];
            pairs[pairs[i]] = i;
        }
    }
    PyMem_Free(stack);
    return OK;
}

static PyObject *narrow(const Py_ssize_t *wide, Py_ssize_t count)
{
    PyObject *found = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t));
    int32_t *numbers = found ? (int32_t *)(void *)PyBytes_AS_STRING(found) : NULL;
    for (Py_ssize_t i = 0; numbers && i < count; i++) numbers[i] = (int32_t)wide[i];
    return found;
}

/* What is between brackets, and whose text its places do not say: the latter goes to `odd`. */
static int mark_steps(Columns *out, const int32_t *partner, char *marks, PyObject *odd)
{
    for (Py_ssize_t i = 0; i < out->count; i++) {
        Py_ssize_t end = partner[i] > i ? partner[i] : i;  /* a bracket closes it: the end of a block is as long as nothing */
        marks[i] = out->kinds[end] == END && out->ends[end] > out->ats[end] ? BRACKET : 0;
        if (out->texts[i] == NULL) continue;
        PyObject *step = PyLong_FromSsize_t(i);
        int trouble = step == NULL || PyDict_SetItem(odd, step, out->texts[i]) < 0;
        Py_XDECREF(step);
        if (trouble) return 0;
        marks[i] |= ODD;
    }
    return 1;
}

/* A document with its places: (kinds, ats, ends, pairs, marks, odd, props, opened, closed), the numbers as arrays of 32 bits. */
static PyObject *with_places(Reader *self)
{
    Columns *out = &self->out;
    PyObject *kinds = PyBytes_FromStringAndSize((const char *)out->kinds, out->count);
    PyObject *ats = narrow(out->ats, out->count), *ends = narrow(out->ends, out->count);
    PyObject *pairs = PyBytes_FromStringAndSize(NULL, out->count * (Py_ssize_t)sizeof(int32_t));
    PyObject *marks = PyBytes_FromStringAndSize(NULL, out->count), *odd = PyDict_New();
    int32_t *partner = pairs ? (int32_t *)(void *)PyBytes_AS_STRING(pairs) : NULL;
    if (kinds && ats && ends && partner && marks && odd && pair(out, partner, self->depth) == OK
        && mark_steps(out, partner, PyBytes_AS_STRING(marks), odd)) {
        PyObject *props = out->props;
        out->props = NULL;
        clear_columns(out);
        return Py_BuildValue("(NNNNNNNnn)", kinds, ats, ends, pairs, marks, odd, props, self->opened, self->at);
    }
    Py_XDECREF(kinds);
    Py_XDECREF(ats);
    Py_XDECREF(ends);
    Py_XDECREF(pairs);
    Py_XDECREF(marks);
    Py_XDECREF(odd);
    return NULL;
}

static PyObject *finished(Reader *self)
{
    Columns *out = &self->out;
    if (self->places) return with_places(self);
    PyObject *kinds = PyList_New(out->count), *ats = PyList_New(out->count), *texts = PyList_New(out->count);
    if (kinds == NULL || ats == NULL || texts == NULL) goto failed;
    for (Py_ssize_t i = 0; i < out->count; i++) {
        PyObject *kind = PyLong_FromLong(out->kinds[i]), *at = PyLong_FromSsize_t(out->ats[i]);
        if (kind == NULL || at == NULL) {
            Py_XDECREF(kind);
            Py_XDECREF(at);
            goto failed;
        }
        PyList_SET_ITEM(kinds, i, kind);
        PyList_SET_ITEM(ats, i, at);
        PyList_SET_ITEM(texts, i, out->texts[i] ? out->texts[i] : Py_NewRef(Py_None));
        out->texts[i] = NULL;
    }
    out->count = 0;
    PyObject *props = out->props;
    out->props = NULL;
    return Py_BuildValue("(NNNN)", kinds, ats, texts, props);
failed:
    Py_XDECREF(kinds);
    Py_XDECREF(ats);
    Py_XDECREF(texts);
    return NULL;
}

/* One document, up to a mark or the end of the text. */
static Result document(Reader *self)
{
    self->complete = 0;
    self->out.props = PyDict_New();
    if (self->out.props == NULL) return FAILED;
    for (;;) {
        self->line = self->at;
        while (look(self, self->at) == ' ') self->at++;
        if (self->at >= self->length) break;
        Py_UCS4 sign = look(self, self->at);
        if (sign == '\n') { self->at++; continue; }
        if (sign == '#') { self->at = line_end(self, self->at); continue; }
        if (self->at == self->line && (sign == '%' || is_document_mark(self, self->at))) break;
        TRY(dedent(self, self->at - self->line));
        TRY(block_line(self));
    }
    while (self->open) TRY(close_block(self, self->at));
    return self->complete ? OK : GIVE_UP;
}

static Result finish(Reader *self, PyObject *found)
{
    PyObject *one = finished(self);
    if (one == NULL) return FAILED;
    int trouble = PyList_Append(found, one);
    Py_DECREF(one);
    return trouble ? FAILED : OK;
}

/* A mark, and nothing up to the next one or the end. */
static Result empty_document(Reader *self, PyObject *found)
{
    self->out.props = PyDict_New();
    if (self->out.props == NULL) return FAILED;
    TRY(add_null(self, self->at, NULL));
    return finish(self, found);
}

static Result documents(Reader *self, PyObject *found)
{
    int marked = 0;
    for (;;) {
        self->line = self->at;
        while (look(self, self->at) == ' ') self->at++;
        Py_UCS4 sign = look(self, self->at);
        if (self->at >= self->length) return marked ? empty_document(self, found) : OK;
        if (sign == '\n') { self->at++; continue; }
        if (sign == '#') { self->at = line_end(self, self->at); continue; }
        if (self->at == self->line && is_document_mark(self, self->at)) {
            if (sign == '.') return GIVE_UP;
            if (marked) TRY(empty_document(self, found));
            marked = 1;
            self->at += 3;
            self->opened = self->at;
            TRY(end_line(self));
            continue;
        }
        if (sign == '%' || (PyList_GET_SIZE(found) && !marked)) return GIVE_UP;
        self->at = self->line;
        TRY(document(self));
        marked = 0;
        TRY(finish(self, found));
    }
}

/* Whether every character is one that both versions of YAML treat alike. */
static int ordinary(const Reader *self)
{
    for (Py_ssize_t at = 0; at < self->length; at++) {
        Py_UCS4 sign = sign_at(self, at);
        if (sign == '\r') {
            if (at + 1 >= self->length || sign_at(self, at + 1) != '\n') return 0;
        } else if (sign < ' ' ? sign != '\n' && sign != '\t' : sign >= 0x7F && (sign < 0xA0 || sign == 0x2028 || sign == 0x2029
            || sign == 0xFEFF || sign == 0xFFFE || sign == 0xFFFF || (sign >= 0xD800 && sign < 0xE000))) return 0;
    }
    return self->length == 0 || look(self, self->length - 1) != ' ';
}

PyObject *plait_scan(PyObject *text, Py_ssize_t depth, int places)
{
    Reader self = {0};
    self.source = text;
    self.width = PyUnicode_KIND(text);
    self.data = PyUnicode_DATA(text);
    self.length = PyUnicode_GET_LENGTH(text);
    self.depth = depth;
    self.places = places;
    PyObject *found = PyList_New(0);
    int fits = !places || self.length < INT32_MAX;
    Result result = found == NULL ? FAILED : fits && ordinary(&self) ? documents(&self, found) : GIVE_UP;
    release(&self);
    if (result == OK) return found;
    Py_XDECREF(found);
    if (result == FAILED) return NULL;
    Py_RETURN_NONE;
}
