package units

import "strconv"

// Count prints n with thousands separators: "71,720".
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// ParseCount reads a whole number, with or without thousands separators.
func ParseCount(s string) (int64, error) {
	number, rest := splitNumber(s)
	clean, ok := plain(number)
	n, err := strconv.ParseInt(clean, 10, 64)
	if !ok || err != nil || rest != "" {
		return 0, &SyntaxError{s, "a whole number such as 71,720"}
	}
	return n, nil
}
