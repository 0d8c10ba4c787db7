package simulate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parse reads PYTORCH_CUDA_ALLOC_CONF as PyTorch does and refuses what it refuses, in its words. Like
// PyTorch it looks at the order of separators nowhere: one token after a key and one after a value are passed over.
func Parse(conf string) (Settings, error) {
	p := &confParser{tokens: tokenize(conf), settings: Default()}
	for p.at < len(p.tokens) {
		if err := p.option(); err != nil {
			return Settings{}, err
		}
		p.at += 2 // the value's last token and the separator behind it
	}
	return p.settings, p.check()
}

// tokenize cuts at separators, which are tokens themselves, and drops white space.
func tokenize(conf string) (tokens []string) {
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			tokens = append(tokens, word.String())
			word.Reset()
		}
	}
	for _, c := range []byte(conf) {
		switch {
		case strings.IndexByte(",:[]", c) >= 0:
			flush()
			tokens = append(tokens, string(c))
		case strings.IndexByte(" \t\n\v\f\r", c) < 0:
			word.WriteByte(c)
		}
	}
	flush()
	return tokens
}

// refuse is an error in PyTorch's own words, capitals and full stops included.
func refuse(format string, args ...any) error { return fmt.Errorf(format, args...) }

type confParser struct {
	tokens   []string
	at       int
	settings Settings
	split    uint64 // max_split_size_mb as written, 0 if not
	rounding uint64
}

// option reads one key and its value and leaves the parser at the value's last token.
func (p *confParser) option() error {
	s, key := &p.settings, p.tokens[p.at]
	switch key {
	case "backend":
		return p.backend()
	case "expandable_segments":
		return p.boolean(&s.Expandable)
	case "throw_on_cudamalloc_oom":
		return p.boolean(&s.ThrowEarly)
	case "max_split_size_mb":
		return p.megabytes(&p.split)
	case "max_non_split_rounding_mb":
		return p.megabytes(&p.rounding)
	case "large_segment_size_mb":
		return p.largeSegment()
	case "garbage_collection_threshold":
		return p.threshold()
	case "per_process_memory_fraction":
		return p.fraction()
	case "roundup_power2_divisions":
		return p.divisions()
	case "pinned_num_register_threads":
		return p.threads()
	case "pinned_reserve_segment_size_mb":
		return p.megabytes(new(uint64))
	case "expandable_segments_reserve", "expandable_segments_reserve_by_class":
		return p.skip()
	case "release_lock_on_cudamalloc", "pinned_use_cuda_host_register", "pinned_use_background_threads",
		"graph_capture_record_stream_reuse", "pinned_free_catch_all":
		return p.boolean(new(bool))
	}
	return refuse("Unrecognized key '%s' in Accelerator allocator config.", key)
}

// check applies the bounds that need all options; the order in which they are written is free.
func (p *confParser) check() error {
	s, least := &p.settings, p.settings.LargeSegment/mib
	for _, bound := range []struct {
		name  string
		value uint64
		to    *uint64
	}{{"max_split_size_mb", p.split, &s.MaxSplit}, {"max_non_split_rounding_mb", p.rounding, &s.MaxNonSplitRounding}} {
		switch {
		case bound.value == 0:
		case bound.value < least:
			return refuse("CachingAllocator option %s too small, must be >= %d", bound.name, least)
		case bound.value >= math.MaxUint64/mib:
			*bound.to = unlimited
		default:
			*bound.to = bound.value * mib
		}
	}
	return nil
}

// value steps over the token behind the key and returns the next.
func (p *confParser) value() (string, error) {
	p.at += 2
	return p.token()
}

func (p *confParser) token() (string, error) {
	if p.at >= len(p.tokens) {
		return "", refuse("Index out of bounds in ConfigTokenizer: a value is missing after '%s'", p.tokens[len(p.tokens)-1])
	}
	return p.tokens[p.at], nil
}

func (p *confParser) skip() error {
	_, err := p.value()
	return err
}

func (p *confParser) boolean(to *bool) error {
	v, err := p.value()
	if err == nil && v != "True" && v != "False" {
		err = refuse("Expected 'True' or 'False' at index %d in ConfigTokenizer but got '%s'", p.at, v)
	}
	*to = v == "True"
	return err
}

func (p *confParser) integer(to *uint64) error {
	v, err := p.value()
	if err == nil {
		*to, err = stoull(v)
	}
	return err
}

// megabytes reads a size that must not be 0: 0 stands for one that was not given.
func (p *confParser) megabytes(to *uint64) error {
	err := p.integer(to)
	if err == nil && *to == 0 {
		*to = 1 // below every bound, as 0 is
	}
	return err
}

func (p *confParser) backend() error {
	v, err := p.value()
	if err == nil && v != "native" && v != "cudaMallocAsync" {
		err = refuse("Unknown allocator backend, options are native and cudaMallocAsync")
	}
	p.settings.Backend = v
	return err
}

func (p *confParser) largeSegment() error {
	var n uint64
	if err := p.integer(&n); err != nil {
		return err
	}
	if n <= minOwnSegment/mib {
		return refuse("CachingAllocator option large_segment_size_mb must be > 10 MB")
	}
	p.settings.LargeSegment = min(n, math.MaxUint64/mib) * mib
	p.settings.MaxNonSplitRounding = max(p.settings.MaxNonSplitRounding, p.settings.LargeSegment)
	return nil
}

func (p *confParser) threshold() (err error) {
	v, err := p.value()
	if err != nil {
		return err
	}
	if p.settings.GCThreshold, err = stod(v); err == nil && !(p.settings.GCThreshold > 0 && p.settings.GCThreshold < 1) {
		err = refuse("garbage_collect_threshold is invalid, set it in (0.0, 1.0)")
	}
	return err
}

func (p *confParser) fraction() (err error) {
	v, err := p.value()
	if err != nil {
		return err
	}
	if p.settings.Fraction, err = stod(v); err == nil && !(p.settings.Fraction >= 0 && p.settings.Fraction <= 1) {
		err = refuse("per_process_memory_fraction is invalid, set it in [0.0, 1.0]")
	}
	return err
}

func (p *confParser) threads() error {
	var n uint64
	switch err := p.integer(&n); {
	case err != nil:
		return err
	case n == 0 || n&(n-1) != 0:
		return refuse("Number of register threads has to be power of 2, got %d", n)
	case n > 128:
		return refuse("Number of register threads should be less than or equal to 128, got %d", n)
	}
	return nil
}

// stoull reads as C++ does: the longest prefix that is a number, where a minus sign wraps around.
func stoull(text string) (uint64, error) {
	digits := strings.TrimLeft(text, "+-")
	end := 0
	for end < len(digits) && digits[end] >= '0' && digits[end] <= '9' {
		end++
	}
	n, err := strconv.ParseUint(digits[:end], 10, 64)
	if err != nil || len(text)-len(digits) > 1 {
		return 0, refuse("stoull")
	}
	if text[0] == '-' {
		n = -n
	}
	return n, nil
}

// stod reads the longest prefix that is a decimal number.
func stod(text string) (float64, error) {
	for end := len(text); end > 0; end-- {
		if f, err := strconv.ParseFloat(text[:end], 64); err == nil {
			return f, nil
		}
	}
	return 0, refuse("stod")
}
