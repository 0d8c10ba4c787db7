// The part of tree-sitter's C interface, version 0.25, that is used. Its functions are those that the module
// go-tree-sitter brings.
#include "arena.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSLanguage TSLanguage;

typedef struct TSNode {
	uint32_t context[4];
	const void *id;
	const TSTree *tree;
} TSNode;

typedef struct TSTreeCursor {
	const void *tree;
	const void *id;
	uint32_t context[3];
} TSTreeCursor;

void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_set_timeout_micros(TSParser *, uint64_t);
TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
TSNode ts_tree_root_node(const TSTree *);
TSTreeCursor ts_tree_cursor_new(TSNode);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
uint16_t ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
bool ts_node_is_missing(TSNode);
bool ts_node_is_error(TSNode);
bool ts_node_has_error(TSNode);

// A node as pysyntax.Node has it, with the parser's numbers for kind and field.
typedef struct {
	uint16_t kind, field;
	uint32_t start, end;
	int32_t parent, after;
} FlatNode;

typedef struct {
	FlatNode *nodes; // NULL where parsing took too long; in the arena
	int32_t count, room;
	int64_t error; // where the first text stands that did not parse, -1 if all did
} FlatTree;

// pysyntax_prepare is called once, before the first parse.
void pysyntax_prepare(void);

// pysyntax_parse parses source and returns its nodes in preorder; keep says by kind which nodes matter without a field.
// All of its memory is in arena, until that is cleared.
FlatTree pysyntax_parse(Arena *arena, const TSLanguage *language, const char *source, uint32_t size, const uint8_t *keep, uint32_t kinds, uint64_t micros);
