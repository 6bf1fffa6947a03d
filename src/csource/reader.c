/* Reading a file: libclang's errors, the functions and the macros that it finds. */
#include "csource/reader.h"
#include "base/diag.h"
#include <inlay/status.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists of cursors ---- */

static int push(cursor_list *list, CXCursor cursor)
{
    if (!GROW(list->at, list->count, list->room)) {
        return INLAY_NO_MEMORY;
    }
    list->at[list->count++] = cursor;
    return INLAY_OK;
}

typedef struct collecting {
    cursor_list *list;
    int status;
} collecting;

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    collecting *to = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (clang_isExpression(kind) || clang_isStatement(kind) || clang_isDeclaration(kind)) {
        to->status = push(to->list, cursor);
    }
    return to->status == INLAY_OK ? CXChildVisit_Continue : CXChildVisit_Break;
}

int cursor_children(CXCursor parent, cursor_list *list)
{
    collecting to = {list, INLAY_OK};
    clang_visitChildren(parent, collect, &to);
    return to.status;
}

/* ---- One reading ---- */

int reader_open(reader *r, CXIndex index, const struct CXUnsavedFile *file, const read_options *options)
{
    struct CXUnsavedFile text = *file;
    enum CXErrorCode code = clang_parseTranslationUnit2(index, file->Filename, options->words, options->count, &text, 1,
                                                        CXTranslationUnit_DetailedPreprocessingRecord, &r->unit);
    if (code != CXError_Success) {
        return INLAY_SYSTEM;
    }
    r->file = clang_getFile(r->unit, file->Filename);
    r->text = r->file != NULL ? clang_getFileContents(r->unit, r->file, &r->size) : NULL;
    return r->text != NULL ? INLAY_OK : INLAY_SYSTEM;
}

void reader_close(reader *r)
{
    free(r->expansion);
    free(r->macros.at);
    free(r->functions.at);
    free(r->variables.at);
    free(r->beyond);
    if (r->unit != NULL) {
        clang_disposeTranslationUnit(r->unit);
    }
    *r = (reader){0};
}

unsigned reader_line(const reader *r, CXSourceLocation place)
{
    unsigned line = 0;
    if (r->preprocessed) {
        clang_getPresumedLocation(place, NULL, &line, NULL);
    } else {
        clang_getExpansionLocation(place, NULL, &line, NULL, NULL);
    }
    return line;
}

static bool is_in_file(const reader *r, CXCursor cursor)
{
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    return file != NULL && clang_File_isEqual(file, r->file);
}

/* Where a declaration begins, or the comment in front of it, which is read where headers are. */
static unsigned begin_of(const reader *r, CXCursor cursor, unsigned from)
{
    CXFile file;
    unsigned comment;
    CXSourceLocation place = clang_getRangeStart(clang_Cursor_getCommentRange(cursor));
    clang_getFileLocation(place, &file, NULL, NULL, &comment);
    return file != NULL && clang_File_isEqual(file, r->file) && comment < from ? comment : from;
}

/* Expansions inside of another one come right behind it: they are part of it. */
static int note_expansion(reader *r, CXCursor cursor)
{
    span s;
    if (!reader_extent(r, cursor, &s) || (r->expansions > 0 && s.from < r->expansion[r->expansions - 1].to)) {
        return INLAY_OK;
    }
    if (!GROW(r->expansion, r->expansions, r->expansion_room)) {
        return INLAY_NO_MEMORY;
    }
    r->expansion[r->expansions++] = s;
    return INLAY_OK;
}

static bool is_beyond(const reader *r, CXCursor cursor)
{
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    for (int i = 0; i < r->beyonds; i++) {
        if (file != NULL && clang_File_isEqual(r->beyond[i], file)) return true;
    }
    return false;
}

/* What a rank's program or a reader of it could stumble over: a name of the file or of its own headers. */
static int note_name(reader *r, CXCursor cursor)
{
    program *p = r->program;
    CXSourceLocation place = clang_getCursorLocation(cursor);
    CXFile file;
    outer_name n = {.macro = clang_getCursorKind(cursor) == CXCursor_MacroDefinition};
    clang_getExpansionLocation(place, &file, &n.line, NULL, NULL);
    if (!r->headers || file == NULL || clang_Location_isInSystemHeader(place) || is_beyond(r, cursor)) {
        return INLAY_OK;
    }
    CXString name = clang_getCursorSpelling(cursor);
    n.name = program_copy(p, clang_getCString(name));
    clang_disposeString(name);
    if (n.name == NULL || !GROW(p->name, p->names, p->name_room)) {
        return INLAY_NO_MEMORY;
    }
    p->name[p->names++] = n;
    return INLAY_OK;
}

static bool is_own_header(const reader *r, CXCursor directive)
{
    CXFile file = clang_getIncludedFile(directive);
    return file != NULL && is_in_file(r, directive) &&
           !clang_Location_isInSystemHeader(clang_getLocationForOffset(r->unit, file, 0));
}

/* A structure is declared behind words of the declaration that it is part of: `typedef struct`. */
static unsigned before_words(const reader *r, unsigned from)
{
    static const char *const words[] = {"typedef", "static", "extern", "const", "volatile", "register"};
    for (bool more = true; more;) {
        more = false;
        unsigned end = from;
        while (end > 0 && strchr(" \t\r\n", r->text[end - 1]) != NULL) {
            end--;
        }
        for (size_t i = 0; i < sizeof words / sizeof *words && !more; i++) {
            size_t length = strlen(words[i]);
            more = end >= length && strncmp(r->text + end - length, words[i], length) == 0;
            from = more ? end - (unsigned)length : from;
        }
    }
    return from;
}

/* Preprocessing comes before all declarations. */
static void note_first(reader *r, CXCursor cursor)
{
    span s;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool begins = kind == CXCursor_InclusionDirective ? is_own_header(r, cursor)
                                                      : clang_isDeclaration(kind) && is_in_file(r, cursor);
    if (r->headers && r->program->first == 0 && begins && reader_extent(r, cursor, &s) &&
        (r->size_of_own == 0 || s.from < r->size_of_own)) {
        r->program->first = kind == CXCursor_InclusionDirective ? s.from : begin_of(r, cursor, before_words(r, s.from));
    }
}

static bool is_read(const reader *r, CXCursor cursor)
{
    bool of_system = clang_Location_isInSystemHeader(clang_getCursorLocation(cursor));
    bool own = r->preprocessed ? !of_system : is_in_file(r, cursor) || (r->headers && !of_system);
    return own && clang_isCursorDefinition(cursor);
}

static enum CXChildVisitResult survey(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    reader *r = data;
    r->status = note_name(r, cursor);
    if (r->status != INLAY_OK) {
        return CXChildVisit_Break;
    }
    note_first(r, cursor);
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_EnumDecl: return CXChildVisit_Recurse;
    case CXCursor_MacroDefinition: r->status = push(&r->macros, cursor); break;
    case CXCursor_MacroExpansion: r->status = is_in_file(r, cursor) ? note_expansion(r, cursor) : INLAY_OK; break;
    case CXCursor_FunctionDecl:
        if (is_read(r, cursor)) {
            r->status = push(&r->functions, cursor);
        }
        break;
    default: break;
    }
    return r->status == INLAY_OK ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* A file that is first included behind the file's own text. */
static void note_inclusion(CXFile included, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    reader *r = data;
    unsigned at = 0;
    if (depth == 0 || r->size_of_own == 0) {
        return;
    }
    clang_getFileLocation(stack[depth - 1], NULL, NULL, NULL, &at);
    if (at >= r->size_of_own && !GROW(r->beyond, r->beyonds, r->beyond_room)) {
        r->status = INLAY_NO_MEMORY;
    } else if (at >= r->size_of_own) {
        r->beyond[r->beyonds++] = included;
    }
}

static void note_skipped(reader *r)
{
    program *p = r->program;
    CXSourceRangeList *list = clang_getSkippedRanges(r->unit, r->file);
    p->skipped = list == NULL ? NULL : pool_zeroed(&p->memory, list->count + 1, sizeof *p->skipped);
    for (unsigned i = 0; p->skipped != NULL && i < list->count; i++, p->skips++) {
        clang_getFileLocation(clang_getRangeStart(list->ranges[i]), NULL, NULL, NULL, &p->skipped[i][0]);
        clang_getFileLocation(clang_getRangeEnd(list->ranges[i]), NULL, NULL, NULL, &p->skipped[i][1]);
    }
    clang_disposeSourceRangeList(list);
}

int reader_survey(reader *r)
{
    if (r->headers) {
        note_skipped(r);
        clang_getInclusions(r->unit, note_inclusion, r);
    }
    clang_visitChildren(clang_getTranslationUnitCursor(r->unit), survey, r);
    return r->status;
}

int reader_find_function(const reader *r, CXCursor declaration)
{
    CXCursor wanted = clang_getCanonicalCursor(declaration);
    for (int i = 0; i < r->functions.count; i++) {
        if (clang_equalCursors(clang_getCanonicalCursor(r->functions.at[i]), wanted)) return i;
    }
    return -1;
}

/* ---- Variables ---- */

/* The type of a number, or of what a pointer points to; false where there is no memory. */
static bool note_elements(program *p, CXType type, c_variable *v)
{
    if (clang_getCanonicalType(type).kind == CXType_Pointer) {
        type = clang_getPointeeType(type.kind == CXType_Pointer ? type : clang_getCanonicalType(type));
    }
    if (type.kind == CXType_ConstantArray && v->type.kind == TYPE_POINTER) {
        v->width = clang_getArraySize(type);
        type = clang_getArrayElementType(type);
    }
    if (!type_is_number(read_type(type))) {
        return true;
    }
    CXString name = clang_getTypeSpelling(type);
    v->element = program_copy(p, clang_getCString(name));
    clang_disposeString(name);
    return v->element != NULL;
}

/* What arithmetic with an address counts in. */
static void note_pointee(CXType type, c_variable *v)
{
    bool pointer = type.kind == CXType_Pointer;
    if (v->type.kind == TYPE_POINTER) {
        long long size = clang_Type_getSizeOf(pointer ? clang_getPointeeType(type) : clang_getArrayElementType(type));
        v->pointee = size > 0 ? size : 0;
    }
}

const char *reader_type_name(reader *r, CXType type)
{
    CXString name = clang_getTypeSpelling(type);
    const char *copy = program_copy(r->program, clang_getCString(name));
    clang_disposeString(name);
    r->status = copy == NULL ? INLAY_NO_MEMORY : r->status;
    return copy;
}

static int add_variable(reader *r, CXCursor declaration)
{
    program *p = r->program;
    if (!GROW(p->variable, p->variables, p->variable_room) || push(&r->variables, declaration) != INLAY_OK) {
        return -1;
    }
    CXString name = clang_getCursorSpelling(declaration);
    CXType type = clang_getCanonicalType(clang_getCursorType(declaration));
    c_variable *v = &p->variable[p->variables];
    *v = (c_variable){.name = program_copy(p, clang_getCString(name)),
                      .type = read_type(type),
                      .parameter = clang_getCursorKind(declaration) == CXCursor_ParmDecl,
                      .outside = clang_Cursor_hasVarDeclGlobalStorage(declaration) == 1,
                      .constant = clang_isConstQualifiedType(type) ||
                                  clang_Cursor_getStorageClass(declaration) == CX_SC_Static};
    v->line = reader_line(r, clang_getCursorLocation(declaration));
    clang_disposeString(name);
    note_pointee(type, v);
    v->escapes = v->outside && clang_isVolatileQualifiedType(type);
    v->function = r->function;
    v->beyond = v->outside && is_beyond(r, declaration);
    v->array = !v->parameter && type.kind >= CXType_ConstantArray && type.kind <= CXType_VariableArray &&
               type.kind != CXType_Vector;
    v->record = type.kind == CXType_Record;
    v->type_name = r->headers ? reader_type_name(r, clang_getCursorType(declaration)) : NULL;
    bool noted = note_elements(p, clang_getCursorType(declaration), v);
    return v->name != NULL && noted ? p->variables++ : -1;
}

int reader_enter_variable(reader *r, CXCursor declaration)
{
    declaration = clang_getCanonicalCursor(declaration);
    for (int i = r->variables.count - 1; i >= 0; i--) {
        if (clang_equalCursors(r->variables.at[i], declaration)) return i;
    }
    int number = add_variable(r, declaration);
    if (number < 0) {
        r->status = INLAY_NO_MEMORY;
        return -1;
    }
    CXCursor defined = clang_getCursorDefinition(declaration);
    if (r->program->variable[number].outside && !clang_Cursor_isNull(defined)) {
        CXCursor initial = clang_Cursor_getVarDeclInitializer(defined);
        node *tree = clang_Cursor_isNull(initial) ? NULL : read_cursor(r, initial);
        r->program->variable[number].initial = tree;
    }
    return number;
}

/* ---- Functions ---- */

static int read_parameters(reader *r, CXCursor cursor, c_function *f)
{
    int count = clang_Cursor_getNumArguments(cursor);
    f->parameter = pool_array(&r->program->memory, (size_t)(count > 0 ? count : 1), sizeof *f->parameter);
    if (f->parameter == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        f->parameter[f->parameters++] = reader_enter_variable(r, clang_Cursor_getArgument(cursor, (unsigned)i));
    }
    return r->status;
}

static int enter_row(program *p, int function, unsigned line)
{
    if (!GROW(p->row, p->rows, p->row_room)) {
        return -1;
    }
    p->row[p->rows] = (body_row){.function = function, .line = line};
    return p->rows++;
}

/* The body is the last child of a definition. */
static node *read_body(reader *r, CXCursor cursor)
{
    cursor_list parts = {0};
    node *body = NULL;
    r->status = cursor_children(cursor, &parts);
    if (r->status == INLAY_OK && parts.count > 0) {
        body = read_cursor(r, parts.at[parts.count - 1]);
    }
    free(parts.at);
    return body;
}

/* Whose lines a preprocessed text has there; false where there is no memory. */
static bool note_origin(reader *r, CXCursor cursor, c_function *f)
{
    CXString path;
    clang_getPresumedLocation(clang_getCursorLocation(cursor), &path, NULL, NULL);
    bool elsewhere = strcmp(clang_getCString(path), r->program->path) != 0;
    f->header = elsewhere ? program_copy(r->program, clang_getCString(path)) : NULL;
    clang_disposeString(path);
    return !elsewhere || f->header != NULL;
}

/* False where there is no memory. */
static bool note_place(reader *r, CXCursor cursor, c_function *f)
{
    CXFile file;
    span s;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    f->line = reader_line(r, clang_getCursorLocation(cursor));
    if (reader_extent(r, cursor, &s)) {
        f->from = begin_of(r, cursor, s.from);
        f->to = s.to;
    }
    f->beyond = is_beyond(r, cursor);
    f->last_line = reader_line(r, clang_getRangeEnd(clang_getCursorExtent(cursor)));
    f->local = clang_Cursor_getStorageClass(cursor) == CX_SC_Static;
    f->result = r->headers ? reader_type_name(r, clang_getCursorResultType(cursor)) : NULL;
    if (r->preprocessed) {
        return note_origin(r, cursor, f);
    }
    if (is_in_file(r, cursor)) {
        return true;
    }
    CXString path = clang_getFileName(file);
    f->header = program_copy(r->program, clang_getCString(path));
    clang_disposeString(path);
    return f->header != NULL;
}

static int read_function(reader *r, int number)
{
    program *p = r->program;
    CXCursor cursor = r->functions.at[number];
    CXString name = clang_getCursorSpelling(cursor);
    c_function *f = &p->function[number];
    f->name = program_copy(p, clang_getCString(name));
    clang_disposeString(name);
    if (!note_place(r, cursor, f)) {
        return INLAY_NO_MEMORY;
    }
    f->row = enter_row(p, number, f->line);
    if (f->name == NULL || f->row < 0) {
        return INLAY_NO_MEMORY;
    }
    r->function = number;
    int status = read_parameters(r, cursor, f);
    if (status == INLAY_OK) {
        f->body = read_body(r, cursor);
    }
    return r->status;
}

static int read_functions(reader *r)
{
    program *p = r->program;
    p->function = calloc((size_t)r->functions.count + 1, sizeof *p->function);
    if (p->function == NULL) {
        return INLAY_NO_MEMORY;
    }
    p->functions = r->functions.count;
    for (int i = 0; i < p->functions && r->status == INLAY_OK; i++) {
        r->status = read_function(r, i);
    }
    return r->status;
}

/* ---- Names of variables ---- */

typedef struct name_search {
    const char *name;
    bool found;
} name_search;

static enum CXChildVisitResult look_for_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    name_search *search = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (!clang_Location_isFromMainFile(clang_getCursorLocation(cursor))) {
        return CXChildVisit_Continue;
    }
    if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) {
        CXString name = clang_getCursorSpelling(cursor);
        search->found = strcmp(clang_getCString(name), search->name) == 0;
        clang_disposeString(name);
    }
    return search->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

int file_has_variable(const source *from, const read_options *options, const char *name, bool *found)
{
    name_search search = {name, false};
    reader r = {0};
    CXIndex index = clang_createIndex(0, 0);
    if (index == NULL) {
        return INLAY_NO_MEMORY;
    }
    if (reader_open(&r, index, &from->file, options) == INLAY_OK) {
        clang_visitChildren(clang_getTranslationUnitCursor(r.unit), look_for_name, &search);
    }
    reader_close(&r);
    clang_disposeIndex(index);
    *found = search.found;
    return INLAY_OK;
}

/* ---- The whole ---- */

/* The first error of the compiler; false where there is none. */
static bool find_error(const reader *r, const char *path, inlay_diag *diag)
{
    bool found = false;
    for (unsigned i = 0; !found && i < clang_getNumDiagnostics(r->unit); i++) {
        CXDiagnostic said = clang_getDiagnostic(r->unit, i);
        CXSourceLocation place = clang_getDiagnosticLocation(said);
        found = clang_getDiagnosticSeverity(said) >= CXDiagnostic_Error &&
                !(r->preprocessed && clang_Location_isInSystemHeader(place)); /* headers are for another compiler */
        if (found) {
            CXFile file;
            unsigned line = reader_line(r, place);
            clang_getExpansionLocation(place, &file, NULL, NULL, NULL);
            CXString text = clang_getDiagnosticSpelling(said), name = clang_getFileName(file);
            const char *where = file != NULL ? clang_getCString(name) : path;
            (void)diag_fail_at(diag, INLAY_BAD_INPUT, where, (long)line, "%s; expected C that compiles",
                               clang_getCString(text));
            clang_disposeString(text);
            clang_disposeString(name);
        }
        clang_disposeDiagnostic(said);
    }
    return found;
}

static int read_unit(reader *r, CXIndex index, const source *from, const read_options *options, inlay_diag *diag)
{
    const char *path = from->file.Filename;
    if (reader_open(r, index, &from->file, options) != INLAY_OK) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0, "libclang cannot read it; expected C");
    }
    if (find_error(r, path, diag)) {
        return INLAY_BAD_INPUT;
    }
    int status = reader_survey(r);
    status = status == INLAY_OK ? read_functions(r) : status;
    if (status == INLAY_OK && r->too_deep) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0,
                            "expressions or statements are nested too deep; expected fewer in each other");
    }
    if (status == INLAY_OK && r->found_hidden) {
        status = reader_unhide(r, path, options);
    }
    if (status == INLAY_OK) {
        program_note_facts(r->program);
    }
    return status;
}

int program_read(const source *from, const read_options *options, program *p, inlay_diag *diag)
{
    CXIndex index = clang_createIndex(0, 0);
    program read = {.path = from->file.Filename};
    reader r = {.program = &read,
                .headers = options->headers,
                .preprocessed = options->preprocessed,
                .size_of_own = options->own};
    int status = index == NULL ? INLAY_NO_MEMORY : read_unit(&r, index, from, options, diag);
    reader_close(&r);
    clang_disposeIndex(index);
    if (status == INLAY_OK) {
        *p = read;
    } else {
        program_clear(&read);
    }
    return status;
}
