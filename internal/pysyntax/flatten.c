#include "flatten.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void pysyntax_prepare(void) {
	// go-tree-sitter lets every allocation of the parser call into Go and from there into C again.
	ts_set_allocator(NULL, NULL, NULL, NULL);
#ifdef __GLIBC__
	// What a large file took is given back when it was parsed: glibc would keep as much for every thread that parsed.
	mallopt(M_ARENA_MAX, 2);
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}

// append adds a node, false where memory runs out.
static bool append(FlatTree *t, int32_t *room, FlatNode n) {
	if (t->count == *room) {
		*room *= 2;
		FlatNode *more = realloc(t->nodes, (size_t)*room * sizeof n);
		if (more == NULL) {
			return false;
		}
		t->nodes = more;
	}
	t->nodes[t->count++] = n;
	return true;
}

// flatten walks the parser's tree once. Brackets and keywords are left out, the source has them; tokens that say
// something, such as the operator of an assignment, stand in a field and are kept.
static bool flatten(TSTreeCursor *cursor, FlatTree *t, int32_t room, const uint8_t *keep, uint32_t kinds) {
	int32_t parent = 0;
	if (!ts_tree_cursor_goto_first_child(cursor)) {
		t->nodes[0].after = 1;
		return true;
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
			if (!append(t, &room, n)) {
				return false;
			}
			if (ts_tree_cursor_goto_first_child(cursor)) {
				parent = at;
				continue;
			}
			t->nodes[at].after = at + 1;
		}
		while (!ts_tree_cursor_goto_next_sibling(cursor)) {
			t->nodes[parent].after = t->count;
			if (parent == 0) {
				return true;
			}
			ts_tree_cursor_goto_parent(cursor);
			parent = t->nodes[parent].parent;
		}
	}
}

FlatTree pysyntax_parse(const TSLanguage *language, const char *source, uint32_t size, const uint8_t *keep, uint32_t kinds, uint64_t micros) {
	FlatTree t = {NULL, 0, -1};
	TSParser *parser = ts_parser_new();
	ts_parser_set_language(parser, language);
	ts_parser_set_timeout_micros(parser, micros);
	TSTree *tree = ts_parser_parse_string(parser, NULL, source, size);
	if (tree != NULL) {
		int32_t room = (int32_t)(size / 4 + 16);
		t.nodes = malloc((size_t)room * sizeof *t.nodes);
		if (t.nodes != NULL) {
			TSNode root = ts_tree_root_node(tree);
			FlatNode module = {ts_node_symbol(root), 0, 0, size, 0, 0};
			t.nodes[t.count++] = module;
			TSTreeCursor cursor = ts_tree_cursor_new(root);
			if (!flatten(&cursor, &t, room, keep, kinds)) {
				free(t.nodes);
				t.nodes = NULL;
			}
			ts_tree_cursor_delete(&cursor);
			if (t.error < 0 && ts_node_has_error(root)) {
				t.error = ts_node_is_error(root) ? ts_node_start_byte(root) : size;
			}
		}
		ts_tree_delete(tree);
	}
	ts_parser_delete(parser);
	return t;
}
