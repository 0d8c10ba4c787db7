package profile

import (
	"cmp"
	"slices"
)

// Share is a part of the peak: of a category, an operator, a line or a module.
type Share struct {
	Origin            // only what the list is by
	Category Category // that most of it has at the peak
	Amount
}

// Shares are what the peak consists of, each list the largest first.
type Shares struct {
	Categories []Share // in the order of Categories, those that there are
	Operators  []Share
	Lines      []Share
	Modules    []Share
}

// SharesOf sums rows up.
func SharesOf(rows []Row) Shares {
	s := Shares{
		Categories: sum(rows, func(r *Row) Share { return Share{Category: r.Category} }),
		Operators: sum(rows, func(r *Row) Share {
			return Share{Origin: Origin{Operator: r.Operator, Backward: r.Backward}}
		}),
		Lines: sum(rows, func(r *Row) Share {
			return Share{Origin: Origin{Site: r.Site, Inside: r.Inside, Backward: r.Backward}}
		}),
		Modules: sum(rows, func(r *Row) Share { return Share{Origin: Origin{Module: r.Module}} }),
	}
	slices.SortFunc(s.Categories, func(x, y Share) int {
		return cmp.Compare(slices.Index(Categories, x.Category), slices.Index(Categories, y.Category))
	})
	return s
}

// sum sums rows whose shares have the same name.
func sum(rows []Row, nameOf func(*Row) Share) []Share {
	index := map[Share]int{}
	var shares []Share
	var categories []map[Category]int64
	for i := range rows {
		name := nameOf(&rows[i])
		n, ok := index[name]
		if !ok {
			n = len(shares)
			index[name] = n
			shares = append(shares, name)
			categories = append(categories, map[Category]int64{})
		}
		shares[n].add(rows[i].Amount)
		categories[n][rows[i].Category] += rows[i].Bytes
	}
	for i := range shares {
		for _, c := range Categories {
			if categories[i][c] > categories[i][shares[i].Category] {
				shares[i].Category = c
			}
		}
	}
	slices.SortStableFunc(shares, func(x, y Share) int { return x.order(y.Amount) })
	return shares
}
