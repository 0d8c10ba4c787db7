#include "flatten.h"

void pysyntax_prepare(void) { ts_set_allocator(arena_malloc, arena_calloc, arena_realloc, arena_free); }

static void append(FlatTree *t, FlatNode n) {
	if (t->count == t->room) {
		t->room *= 2;
		t->nodes = arena_realloc(t->nodes, (size_t)t->room * sizeof n);
	}
	t->nodes[t->count++] = n;
}

// flatten walks the parser's tree once. Brackets and keywords are left out, the source has them; tokens that say
// something, such as the operator of an assignment, stand in a field and are kept.
static void flatten(TSTreeCursor *cursor, FlatTree *t, const uint8_t *keep, uint32_t kinds) {
	int32_t parent = 0;
	if (!ts_tree_cursor_goto_first_child(cursor)) {
		t->nodes[0].after = 1;
		return;
	}
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(cursor);
		uint16_t kind = ts_node_symbol(node), field = ts_tree_cursor_current_field_id(cursor);
		if (t->error < 0 && (ts_node_is_error(node) || ts_node_is_missing(node))) {
			t->error = ts_node_start_byte(node);
		}
		// The parser numbers error nodes from the top.
		if (kind >= kinds || keep[kind] || field != 0) {
			int32_t at = t->count;
			FlatNode n = {kind, field, ts_node_start_byte(node), ts_node_end_byte(node), parent, 0};
			append(t, n);
			if (ts_tree_cursor_goto_first_child(cursor)) {
				parent = at;
				continue;
			}
			t->nodes[at].after = at + 1;
		}
		while (!ts_tree_cursor_goto_next_sibling(cursor)) {
			t->nodes[parent].after = t->count;
			if (parent == 0) {
				return;
			}
			ts_tree_cursor_goto_parent(cursor);
			parent = t->nodes[parent].parent;
		}
	}
}

FlatTree pysyntax_parse(Arena *arena, const TSLanguage *language, const char *source, uint32_t size, const uint8_t *keep, uint32_t kinds, uint64_t micros) {
	FlatTree t = {NULL, 0, 0, -1};
	arena_use(arena);
	TSParser *parser = ts_parser_new();
	ts_parser_set_language(parser, language);
	ts_parser_set_timeout_micros(parser, micros);
	TSTree *tree = ts_parser_parse_string(parser, NULL, source, size);
	if (tree != NULL) {
		t.room = (int32_t)(size / 8 + 16);
		t.nodes = arena_malloc((size_t)t.room * sizeof *t.nodes);
		TSNode root = ts_tree_root_node(tree);
		append(&t, (FlatNode){ts_node_symbol(root), 0, 0, size, 0, 0});
		TSTreeCursor cursor = ts_tree_cursor_new(root);
		flatten(&cursor, &t, keep, kinds);
		if (t.error < 0 && ts_node_has_error(root)) {
			t.error = ts_node_is_error(root) ? ts_node_start_byte(root) : size;
		}
	}
	ts_parser_delete(parser); // what the grammar's scanner has is not in the arena; the tree is
	arena_use(NULL);
	return t;
}
