/*
 * Cursors of libclang as nodes.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as DEEPEST.
 */
#include "csource/reader.h"
#include "base/plain.h"
#include <inlay/status.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 2000 };

/* ---- Nodes ---- */

/* Macros may stand in the text as a whole; their parts are no text of the program's. */
static bool is_copied(const reader *r, const span *s)
{
    int low = 0, high = r->expansions;
    while (low < high) { /* the first that ends behind its beginning */
        int middle = low + (high - low) / 2;
        if (r->expansion[middle].to <= s->from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < r->expansions && r->expansion[low].from < s->to; low++) {
        if (r->expansion[low].from < s->from || r->expansion[low].to > s->to ||
            (r->expansion[low].from == s->from && r->expansion[low].to == s->to)) {
            return false;
        }
    }
    return true;
}

static bool holds_address(CXType type);

static enum CXVisitorResult look_for_address(CXCursor field, CXClientData data)
{
    bool *found = data;
    *found = holds_address(clang_getCursorType(field));
    return *found ? CXVisit_Break : CXVisit_Continue;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as types are nested */
static bool holds_address(CXType type)
{
    bool found = false;
    CXType real = clang_getCanonicalType(type);
    while (real.kind == CXType_ConstantArray) {
        real = clang_getCanonicalType(clang_getArrayElementType(real));
    }
    if (real.kind == CXType_Record) {
        clang_Type_visitFields(real, look_for_address, &found);
    }
    return found || real.kind == CXType_Pointer;
}

static void note_type(reader *r, CXCursor cursor, node *n)
{
    CXType type = clang_getCursorType(cursor), real = clang_getCanonicalType(type);
    n->array = real.kind >= CXType_ConstantArray && real.kind <= CXType_VariableArray && real.kind != CXType_Vector;
    n->record = real.kind == CXType_Record;
    CXCursor declared = clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr && clang_getCursorKind(declared) == CXCursor_ParmDecl) {
        n->array = false; /* `double x[]` is a pointer there */
    }
    if (r->headers && real.kind != CXType_Invalid) {
        n->type_name = reader_type_name(r, type);
        n->addresses = holds_address(type);
    }
}

static node *make(reader *r, node_kind kind, CXCursor cursor, int children)
{
    node *n = pool_zeroed(&r->program->memory, 1, sizeof *n);
    node **child = n == NULL ? NULL : pool_zeroed(&r->program->memory, (size_t)children + 1, sizeof(node *));
    if (child == NULL) {
        r->status = INLAY_NO_MEMORY;
        return NULL;
    }
    *n = (node){.kind = kind, .variable = -1, .function = -1, .row = -1, .child = child, .children = children};
    n->type = read_type(clang_getCursorType(cursor));
    n->line = reader_line(r, clang_getRangeStart(clang_getCursorExtent(cursor)));
    span extent;
    if (reader_extent(r, cursor, &extent)) {
        n->from = extent.from;
        n->to = extent.to;
        n->copied = n->to > n->from && is_copied(r, &extent);
    }
    note_type(r, cursor, n);
    return n;
}

static node *strange(reader *r, CXCursor cursor, const char *what)
{
    node *n = make(r, NODE_STRANGE, cursor, 0);
    if (n != NULL) {
        n->name = what;
    }
    return n;
}

/* A node of all parts, in their order. */
static node *make_with(reader *r, node_kind kind, CXCursor cursor, const cursor_list *parts)
{
    node *n = make(r, kind, cursor, parts->count);
    for (int i = 0; n != NULL && i < parts->count; i++) {
        n->child[i] = read_cursor(r, parts->at[i]);
    }
    return n;
}

static void hide(reader *r, node *n)
{
    n->hidden = true;
    r->found_hidden = true;
}

value_type read_type(CXType type)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Enum) {
        type = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    }
    value_type t = {.kind = TYPE_OTHER};
    if (type.kind >= CXType_Bool && type.kind <= CXType_Int128) {
        t.kind = TYPE_INTEGER;
        t.is_unsigned = type.kind <= CXType_UInt128;
        t.bits = type.kind == CXType_Bool ? 1 : (unsigned)clang_Type_getSizeOf(type) * 8;
    } else if ((type.kind >= CXType_Float && type.kind <= CXType_LongDouble) || type.kind == CXType_Float128 ||
               type.kind == CXType_Half || type.kind == CXType_Float16 || type.kind == CXType_Complex ||
               type.kind == CXType_Vector || type.kind == CXType_ExtVector) {
        t.kind = TYPE_REAL;
    } else if (type.kind == CXType_Pointer ||
               (type.kind >= CXType_ConstantArray && type.kind <= CXType_VariableArray && type.kind != CXType_Vector)) {
        t.kind = TYPE_POINTER;
    }
    long long size = type_is_number(t) ? clang_Type_getSizeOf(type) : 0;
    t.size = size > 0 ? (unsigned)size : 0;
    return t;
}

/* ---- Expressions ---- */

/* A number as text, for one that stands in a macro. */
static void note_literal(reader *r, double value, node *n)
{
    char text[64];
    (void)plain_print(text, sizeof text, "%.17g", value);
    bool whole = strpbrk(text, ".en") == NULL;
    char full[sizeof text + 4];
    (void)plain_print(full, sizeof full, "%s%s%s", text, whole ? ".0" : "", n->type.size == sizeof(float) ? "f" : "");
    n->name = program_copy(r->program, full);
    r->status = n->name == NULL ? INLAY_NO_MEMORY : r->status;
}

/* The value of a literal or of sizeof. */
static node *read_constant(reader *r, CXCursor cursor)
{
    const double exact = 0x1p53; /* up to which doubles are whole numbers without gaps */
    node *n = make(r, NODE_CONSTANT, cursor, 0);
    if (n != NULL && clang_getCursorKind(cursor) == CXCursor_StringLiteral) {
        CXString text = clang_getCursorSpelling(cursor);
        n->name = program_copy(r->program, clang_getCString(text));
        clang_disposeString(text);
        r->status = n->name == NULL ? INLAY_NO_MEMORY : r->status;
        return n;
    }
    CXEvalResult value = n == NULL ? NULL : clang_Cursor_Evaluate(cursor);
    if (value == NULL) {
        return n;
    }
    if (clang_EvalResult_getKind(value) == CXEval_Int) {
        n->value = clang_EvalResult_getAsLongLong(value);
        n->known = !clang_EvalResult_isUnsignedInt(value) || clang_EvalResult_getAsUnsigned(value) <= INT64_MAX;
    } else if (clang_EvalResult_getKind(value) == CXEval_Float) {
        double real = clang_EvalResult_getAsDouble(value);
        n->known = fabs(real) < exact && floor(real) == real;
        n->value = n->known ? (int64_t)real : 0;
        if (r->headers) {
            note_literal(r, real, n);
        }
    }
    clang_EvalResult_dispose(value);
    return n;
}

static node *read_reference(reader *r, CXCursor cursor)
{
    CXCursor declared = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(declared);
    node *n = make(r, NODE_OTHER, cursor, 0);
    if (n != NULL && kind == CXCursor_EnumConstantDecl) {
        n->kind = NODE_CONSTANT;
        n->known = true;
        n->value = clang_getEnumConstantDeclValue(declared);
    } else if (n != NULL && (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl)) {
        n->kind = NODE_VARIABLE;
        n->variable = r->twin ? -1 : reader_enter_variable(r, declared);
    } else if (n != NULL && kind == CXCursor_FunctionDecl && !r->twin) {
        n->function = reader_find_function(r, declared);
    }
    return n;
}

static node *read_binary(reader *r, CXCursor cursor, const cursor_list *parts)
{
    bool assigns = false;
    if (parts->count != 2) {
        return strange(r, cursor, "an operator without two operands");
    }
    node *n = make_with(r, NODE_BINARY, cursor, parts);
    if (n == NULL) {
        return NULL;
    }
    if (!reader_binary(r, parts->at[0], parts->at[1], &n->operation, &assigns)) {
        hide(r, n);
    }
    n->kind = assigns ? NODE_ASSIGN : NODE_BINARY;
    return n;
}

static node *read_unary(reader *r, CXCursor cursor, const cursor_list *parts)
{
    bool step = false;
    if (parts->count != 1) {
        return strange(r, cursor, "an operator without an operand");
    }
    node *n = make_with(r, NODE_UNARY, cursor, parts);
    if (n == NULL) {
        return NULL;
    }
    if (!reader_unary(r, cursor, parts->at[0], &n->operation, &step)) {
        hide(r, n);
    }
    n->kind = step ? NODE_STEP : NODE_UNARY;
    n->prefix = n->children == 1 && n->child[0] != NULL && n->child[0]->from > n->from;
    return n;
}

static node *read_member(reader *r, CXCursor cursor, const cursor_list *parts)
{
    node *n = make_with(r, NODE_MEMBER, cursor, parts);
    if (n != NULL && r->headers) {
        CXCursor member = clang_getCursorReferenced(cursor);
        n->bits = clang_Cursor_isBitField(member) != 0;
        n->united = clang_getCursorKind(clang_getCursorSemanticParent(member)) == CXCursor_UnionDecl;
        CXString name = clang_getCursorSpelling(cursor);
        n->name = program_copy(r->program, clang_getCString(name));
        clang_disposeString(name);
        r->status = n->name == NULL ? INLAY_NO_MEMORY : r->status;
    }
    return n;
}

static enum CXChildVisitResult look_for_purity(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    bool *pure = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    *pure = *pure || kind == CXCursor_ConstAttr || kind == CXCursor_PureAttr;
    return CXChildVisit_Continue;
}

static node *read_call(reader *r, CXCursor cursor, const cursor_list *parts)
{
    int count = clang_Cursor_getNumArguments(cursor);
    node *n = make(r, NODE_CALL, cursor, count > 0 ? count : 0);
    for (int i = 0; n != NULL && i < n->children; i++) {
        n->child[i] = read_cursor(r, clang_Cursor_getArgument(cursor, (unsigned)i));
    }
    CXCursor called = clang_getCursorReferenced(cursor);
    if (n == NULL || clang_getCursorKind(called) != CXCursor_FunctionDecl) {
        span callee;
        if (n != NULL && parts->count > 0 && reader_extent(r, parts->at[0], &callee)) {
            n->callee_from = callee.from;
            n->callee_to = callee.to;
        }
        return n;
    }
    CXString name = clang_getCursorSpelling(called);
    CXSourceLocation place = clang_getCursorLocation(called);
    CXFile file;
    clang_getFileLocation(place, &file, NULL, NULL, NULL);
    n->name = program_copy(r->program, clang_getCString(name));
    if (n->name == NULL) {
        r->status = INLAY_NO_MEMORY;
        clang_disposeString(name);
        return NULL;
    }
    n->system = file == NULL || clang_Location_isInSystemHeader(place) || strncmp(n->name, "__builtin_", 10) == 0;
    n->function = r->twin ? -1 : reader_find_function(r, called);
    clang_visitChildren(called, look_for_purity, &n->pure);
    clang_disposeString(name);
    return n;
}

/* Implicit conversions; and `a ?: b`, whose parts are a, a, a and b. */
static node *read_unexposed(reader *r, CXCursor cursor, const cursor_list *parts)
{
    if (parts->count != 1) {
        bool two_ways = parts->count == 4 && clang_isExpression(clang_getCursorKind(parts->at[3]));
        node *n = two_ways ? make(r, NODE_CHOICE, cursor, 3) : make_with(r, NODE_OTHER, cursor, parts);
        if (n != NULL && two_ways) {
            n->child[0] = read_cursor(r, parts->at[0]);
            n->child[1] = make(r, NODE_OTHER, cursor, 0);
            n->child[2] = read_cursor(r, parts->at[3]);
        }
        return n;
    }
    node *inner = read_cursor(r, parts->at[0]);
    node *n = inner == NULL ? NULL : make(r, NODE_CAST, cursor, 1);
    if (n == NULL || (n->type.kind == inner->type.kind && n->type.bits == inner->type.bits &&
                      n->type.is_unsigned == inner->type.is_unsigned)) {
        return inner;
    }
    n->child[0] = inner;
    return n;
}

/* Before the last part there are sizes of the type. */
static node *read_last(reader *r, node_kind kind, CXCursor cursor, const cursor_list *parts)
{
    const cursor_list last = {.at = parts->at + parts->count - (parts->count > 0), .count = parts->count > 0};
    return make_with(r, kind, cursor, &last);
}

/* ---- Statements ---- */

/*
 * Parts of a `for` that are missing have no cursor: the semicolons between the others tell which they are. A declaration
 * contains its own.
 */
static bool place_parts(const reader *r, CXCursor cursor, const cursor_list *parts, int place[4])
{
    span all, part;
    int at = 0;
    if (!reader_extent(r, cursor, &all)) {
        return false;
    }
    unsigned from = all.from;
    for (int i = 0; i + 1 < parts->count; i++) {
        char text[GAP_TEXT];
        if (!reader_extent(r, parts->at[i], &part) || !reader_gap(r, from, part.from, text)) {
            return false;
        }
        for (const char *c = text; *c != '\0'; c++) {
            at += *c == ';';
        }
        if (at > 2) {
            return false;
        }
        place[at] = i;
        at += clang_getCursorKind(parts->at[i]) == CXCursor_DeclStmt;
        from = part.to;
    }
    return true;
}

static node *read_for(reader *r, CXCursor cursor, const cursor_list *parts)
{
    int place[4] = {-1, -1, -1, parts->count - 1};
    node *n = make(r, NODE_FOR, cursor, 4);
    if (n == NULL || parts->count < 1 || parts->count > 4) {
        return n == NULL ? NULL : strange(r, cursor, "a loop of this form");
    }
    if (parts->count == 4) {
        place[0] = 0, place[1] = 1, place[2] = 2;
    } else if (!place_parts(r, cursor, parts, place)) {
        place[0] = parts->count > 1 ? 0 : -1; /* in their order; the twin tells the places */
        place[1] = parts->count > 2 ? 1 : -1;
        place[2] = -1;
        hide(r, n);
    }
    for (int i = 0; i < 4; i++) {
        n->child[i] = place[i] < 0 ? NULL : read_cursor(r, parts->at[place[i]]);
    }
    return n;
}

/* Enters the loop before what is in it. */
static node *read_loop(reader *r, CXCursor cursor, const cursor_list *parts)
{
    program *p = r->program;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    int row = r->twin ? -1 : p->rows;
    r->nest++;
    if (!r->twin) {
        if (!GROW(p->row, p->rows, p->row_room)) {
            r->status = INLAY_NO_MEMORY;
            return NULL;
        }
        p->row[p->rows++] = (body_row){.function = r->function, .nest = r->nest};
    }
    node *n = kind == CXCursor_ForStmt ? read_for(r, cursor, parts)
                                       : make_with(r, kind == CXCursor_DoStmt ? NODE_DO : NODE_WHILE, cursor, parts);
    r->nest--;
    if (n != NULL && kind != CXCursor_ForStmt && parts->count != 2) {
        return strange(r, cursor, "a loop of this form");
    }
    if (n != NULL && kind == CXCursor_WhileStmt) {
        node *condition = n->child[0];
        n->child[0] = n->child[1];
        n->child[1] = condition;
    }
    if (n != NULL && row >= 0) {
        n->row = row;
        p->row[row].line = n->line;
    }
    return n;
}

static node *read_declaration(reader *r, CXCursor cursor)
{
    if (clang_getCursorKind(cursor) != CXCursor_VarDecl) {
        return make(r, NODE_BLOCK, cursor, 0);
    }
    int variable = r->twin ? -1 : reader_enter_variable(r, cursor);
    bool outlives = clang_Cursor_hasVarDeclGlobalStorage(cursor) == 1;
    CXCursor initial = clang_Cursor_getVarDeclInitializer(cursor);
    bool starts = !outlives && !clang_Cursor_isNull(initial);
    node *n = make(r, outlives ? NODE_BLOCK : NODE_DECLARATION, cursor, starts);
    if (n != NULL && !outlives) {
        n->variable = variable;
    }
    if (n != NULL && starts) {
        n->child[0] = read_cursor(r, initial);
    }
    return n;
}

static node *read_goto(reader *r, CXCursor cursor)
{
    node *n = make(r, NODE_GOTO, cursor, 0);
    unsigned from, to;
    CXCursor label = clang_getCursorReferenced(cursor);
    clang_getExpansionLocation(clang_getCursorLocation(cursor), NULL, NULL, NULL, &from);
    clang_getExpansionLocation(clang_getCursorLocation(label), NULL, NULL, NULL, &to);
    if (n != NULL) {
        n->known = clang_Cursor_isNull(label) || to <= from;
    }
    return n;
}

static bool read_whole(CXCursor cursor, int64_t *number)
{
    CXEvalResult value = clang_Cursor_Evaluate(cursor);
    bool whole = value != NULL && clang_EvalResult_getKind(value) == CXEval_Int;
    *number = whole ? clang_EvalResult_getAsLongLong(value) : 0;
    if (value != NULL) {
        clang_EvalResult_dispose(value);
    }
    return whole;
}

/* A statement behind a label of any kind, which is the last part; before it stand the values of a case. */
static node *read_labelled(reader *r, CXCursor cursor, const cursor_list *parts)
{
    bool is_case = clang_getCursorKind(cursor) != CXCursor_LabelStmt;
    node *n = make(r, is_case ? NODE_CASE : NODE_BLOCK, cursor, parts->count > 0);
    if (n != NULL) {
        n->known = !is_case || clang_getCursorKind(cursor) == CXCursor_DefaultStmt;
    }
    if (n != NULL && clang_getCursorKind(cursor) == CXCursor_CaseStmt && parts->count > 1) {
        n->valued = read_whole(parts->at[0], &n->value) && read_whole(parts->at[parts->count - 2], &n->last);
    }
    if (n != NULL && parts->count > 0) {
        n->child[0] = read_cursor(r, parts->at[parts->count - 1]);
    }
    return n;
}

/* ---- All kinds ---- */

static node *read_statement(reader *r, CXCursor cursor, const cursor_list *parts)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CompoundStmt:
    case CXCursor_DeclStmt: return make_with(r, NODE_BLOCK, cursor, parts);
    case CXCursor_IfStmt: return make_with(r, NODE_IF, cursor, parts);
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt: return read_loop(r, cursor, parts);
    case CXCursor_SwitchStmt: return make_with(r, NODE_SWITCH, cursor, parts);
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt: return read_labelled(r, cursor, parts);
    case CXCursor_BreakStmt: return make(r, NODE_BREAK, cursor, 0);
    case CXCursor_ContinueStmt: return make(r, NODE_CONTINUE, cursor, 0);
    case CXCursor_ReturnStmt: return make_with(r, NODE_RETURN, cursor, parts);
    case CXCursor_GotoStmt: return read_goto(r, cursor);
    case CXCursor_IndirectGotoStmt: return strange(r, cursor, "a goto to a computed label");
    case CXCursor_AsmStmt:
    case CXCursor_MSAsmStmt: return strange(r, cursor, "an assembler statement");
    default: return make_with(r, NODE_BLOCK, cursor, parts);
    }
}

static node *read_expression(reader *r, CXCursor cursor, const cursor_list *parts)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_UnexposedExpr: return read_unexposed(r, cursor, parts);
    case CXCursor_ParenExpr: return parts->count == 1 ? read_cursor(r, parts->at[0]) : NULL;
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_ImaginaryLiteral:
    case CXCursor_StringLiteral:
    case CXCursor_UnaryExpr: return read_constant(r, cursor);
    case CXCursor_DeclRefExpr: return read_reference(r, cursor);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: return read_binary(r, cursor, parts);
    case CXCursor_UnaryOperator: return read_unary(r, cursor, parts);
    case CXCursor_ArraySubscriptExpr: return make_with(r, NODE_INDEX, cursor, parts);
    case CXCursor_MemberRefExpr: return read_member(r, cursor, parts);
    case CXCursor_CallExpr: return read_call(r, cursor, parts);
    case CXCursor_ConditionalOperator: return make_with(r, NODE_CHOICE, cursor, parts);
    case CXCursor_CStyleCastExpr: return read_last(r, NODE_CAST, cursor, parts);
    case CXCursor_CompoundLiteralExpr: return read_last(r, NODE_OTHER, cursor, parts);
    case CXCursor_GenericSelectionExpr: return strange(r, cursor, "a generic selection");
    default: return make_with(r, NODE_OTHER, cursor, parts);
    }
}

static node *read_parts(reader *r, CXCursor cursor, const cursor_list *parts)
{
    if (clang_isStatement(clang_getCursorKind(cursor))) {
        return read_statement(r, cursor, parts);
    }
    return clang_isDeclaration(clang_getCursorKind(cursor)) ? read_declaration(r, cursor)
                                                            : read_expression(r, cursor, parts);
}

node *read_cursor(reader *r, CXCursor cursor)
{
    if (r->status != INLAY_OK || r->depth == DEEPEST) {
        r->too_deep = r->too_deep || r->depth == DEEPEST;
        return NULL;
    }
    cursor_list parts = {0};
    r->depth++;
    r->status = cursor_children(cursor, &parts);
    node *n = r->status == INLAY_OK ? read_parts(r, cursor, &parts) : NULL;
    free(parts.at);
    r->depth--;
    return n;
}

/* NOLINTEND(misc-no-recursion) */
