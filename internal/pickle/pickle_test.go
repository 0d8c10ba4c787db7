package pickle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// tree is a Builder that keeps what it is given, to look at.
type tree struct {
	texts *Strings
	made  []string
}

func (b *tree) print(v Value) string {
	switch v.Kind {
	case None:
		return "None"
	case Bool:
		return []string{"False", "True"}[v.N]
	case Int, Negative:
		return number(v)
	case Text:
		return b.texts.Text(uint32(v.N))
	case Dict:
		return "{}"
	case List:
		return "[]"
	case Tuple:
		return "()"
	case Own, Once:
		return b.made[v.N]
	}
	return "?"
}

func number(v Value) string {
	if v.Kind == Negative {
		return "-" + decimal(-v.N)
	}
	return decimal(v.N)
}

func decimal(n uint64) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + string(rune('0'+n%10))
}

func (b *tree) make(open, end string, to Value, items []Value) (Value, error) {
	text := open
	if to.Kind == Own {
		text = strings.TrimSuffix(b.made[to.N], end) + " "
	}
	for i, v := range items {
		if i > 0 {
			text += " "
		}
		text += b.print(v)
	}
	b.made = append(b.made, text+end)
	return Value{N: uint64(len(b.made) - 1), Kind: Own}, nil
}

func (b *tree) Dict(to Value, items []Value) (Value, error) { return b.make("{", "}", to, items) }
func (b *tree) Record(_ uint32, items []Value) (Value, error) {
	return b.Dict(Value{Kind: Dict}, items)
}
func (b *tree) List(to Value, items []Value) (Value, error) { return b.make("[", "]", to, items) }
func (b *tree) Tuple(items []Value) (Value, error)          { return b.make("(", ")", Value{}, items) }

func decode(data string) (string, error) { return decodeFrom(strings.NewReader(data)) }

func decodeFrom(r io.Reader) (string, error) {
	b := &tree{texts: NewStrings()}
	v, err := Decode(r, b, b.texts)
	if err != nil {
		return "", err
	}
	return b.print(v), nil
}

// TestDecode reads programs for the stack machine.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"\x80\x02K\x05.", "5"},
		{"\x80\x02M\x00\x01.", "256"},
		{"\x80\x02J\xff\xff\xff\xff.", "-1"},
		{"\x80\x02\x8a\x00.", "0"},
		{"\x80\x02\x8a\x01\xff.", "-1"},
		{"\x80\x02\x8a\x02\x00\x80.", "-32768"},
		{"\x80\x02\x8a\x03\x00\x80\x00.", "32768"},
		{"\x80\x02\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00.", "18446744073709551615"},
		{"\x80\x02\x8b\x02\x00\x00\x00\x00\x01.", "256"},
		{"\x80\x02(\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\xff\x8b\x0a\x00\x00\x000123456789K\x01t.", "(? ? ? 1)"}, // more than 64 bits
		{"\x80\x02\x8a\x20abc.", ""},
		{"\x80\x02].", "[]"},
		{"\x80\x02](e.", "[]"},
		{"\x80\x02](K\x01K\x02eK\x03a.", "[1 2 3]"},
		{"\x80\x02}X\x01\x00\x00\x00aK\x01s.", "{a 1}"},
		{"\x80\x02(K\x01N\x88\x89t.", "(1 None True False)"},
		{"\x80\x02K\x01K\x02\x86.", "(1 2)"},
		{"\x80\x02(K\x01l.", "[1]"},
		{"\x80\x02(K\x01K\x02d.", "{1 2}"},
		// A list is shared once it is complete, full or empty, in its own container or behind it.
		{"\x80\x04](]\x94K\x01ah\x00e.", "[[1] [1]]"},
		{"\x80\x04](]\x94h\x00e.", "[[] []]"},
		{"\x80\x04](](]\x94eh\x00e.", "[[[]] []]"},
		{"\x80\x02](]q\x05K\x01ah\x05e.", "[[1] [1]]"},
		{"\x80\x04](](\x94e.", ""}, // numbers nothing
	} {
		got, err := decode(c.data)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q is %q, %v, want %q", c.data, got, err, c.want)
		}
	}
}

// TestRefuses says what is refused, and where.
func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		data, want string
		offset     int64
	}{
		{"\x80\x02cos\nsystem\n.", `GLOBAL ("os.system")`, 2},
		{"\x80\x04\x8c\x02os\x8c\x06system\x93.", `STACK_GLOBAL ("os.system")`, 14},
		{"\x80\x02ibuiltins\neval\n.", `INST ("builtins.eval")`, 2},
		{"\x80\x02)R.", "REDUCE", 3}, {"\x80\x02}b.", "BUILD", 3}, {"\x80\x02(o.", "OBJ", 3}, {"\x80\x02)\x81.", "NEWOBJ", 3},
		{"\x80\x02)\x92.", "NEWOBJ_EX", 3}, {"\x80\x02\x82\x01.", "EXT1", 2}, {"\x80\x02P1\n.", "PERSID", 2}, {"\x80\x02Q.", "BINPERSID", 2},
		{"\x80\x020.", "POP", 2}, {"\x80\x02\xff.", "0xff is no opcode", 2},
		{"\x80\x02]\x94h\x00a.", "holds itself", 6}, {"\x80\x04]\x94(h\x00e.", "holds itself", 5}, {"\x80\x02h\x07.", "only 0 are there", 2},
		{"\x80\x02K\x01K\x02.", "2 values are left", 6}, {"\x80\x02.", "0 values are left", 2}, {"\x80\x02e", "not opened", 2}, {"\x80\x02(e", "without a container", 3},
		{"\x80\x02a.", "without a container", 2}, {"\x80\x02}(K\x01u.", "no keys", 6}, {"\x80\x02K\x01(K\x01e.", "no list", 7}, {"\x80\x02K\x01q\xffr\xff\xff\x00\x01", "only", 6},
	} {
		_, err := decode(c.data)
		var s *SyntaxError
		if !errors.As(err, &s) || !strings.Contains(s.Msg, c.want) || s.Offset != c.offset {
			t.Errorf("%q: %v, want %q at byte %d", c.data, err, c.want, c.offset)
		}
		if s != nil && s.Code != strings.Contains(s.Msg, "would run code") {
			t.Errorf("%q: said to run code: %v", c.data, s.Code)
		}
	}
}

// TestEncode reads back what was written, under each protocol.
func TestEncode(t *testing.T) {
	numbers := []uint64{0, 1, 255, 256, 65535, 65536, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<39 - 1, 1 << 39, 1<<63 - 1, 1 << 63, 1<<64 - 1}
	for _, protocol := range []int{2, 4, 5} {
		var out bytes.Buffer
		e := NewEncoder(&out, protocol)
		e.List()
		want := "["
		for _, n := range numbers {
			e.Int(n)
			want += decimal(n) + " "
		}
		e.Batch()
		e.Negative(-1)
		e.Bool(true)
		first := e.NumberedList()
		e.Text("a")
		e.EndList()
		for range 300 { // numbers beyond the shortest form
			e.Text(strings.Repeat("b", e.textCount()))
		}
		e.Again(first)
		e.Text("a")
		e.EndList()
		if err := e.End(); err != nil {
			t.Fatal(err)
		}
		got, err := decode(out.String())
		if err != nil {
			t.Fatalf("protocol %d: %v", protocol, err)
		}
		if !strings.HasPrefix(got, want+"-1 True [a] ") || !strings.HasSuffix(got, " [a] a]") {
			t.Errorf("protocol %d: %.300s … %s", protocol, got, got[len(got)-20:])
		}
	}
}

// textCount is a length that no text written so far has.
func (e *Encoder) textCount() int { return len(e.texts) + 1 }

// TestMemo compares the memo with a map.
func TestMemo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var m memo
	model := map[int]uint32{}
	next := 0
	for range 200_000 {
		i := next
		switch r.IntN(10) {
		case 0:
			i = r.IntN(next + 1)
		case 1:
			i += r.IntN(50)
		}
		if !m.reserve(i) {
			t.Fatalf("no room for %d of %d", i, next)
		}
		next = max(next, i+1)
		if r.IntN(3) > 0 {
			v := 1 + r.Uint32N(1<<30)
			m.set(i, v)
			model[i] = v
		}
		if i = r.IntN(next + 100); m.get(i) != model[i] {
			t.Fatalf("slot %d is %d, want %d", i, m.get(i), model[i])
		}
	}
	if m.reserve(next + maxGap + 1) {
		t.Error("a number far ahead is taken")
	}
	if lowSlots >= next {
		t.Error("the pages were not tried")
	}
}

// TestReadsInPieces reads a pickle that comes a byte at a time, with texts longer than the buffer.
func TestReadsInPieces(t *testing.T) {
	long := strings.Repeat("x", bufferSize+100)
	data := "\x80\x02](X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(long)))) + long + "K\x07e."
	b := &tree{texts: NewStrings()}
	v, err := Decode(&slow{data: data}, b, b.texts)
	if err != nil || b.print(v) != "["+long+" 7]" {
		t.Fatalf("%v", err)
	}
}

// slow gives a few bytes at a time: never as many as a record takes, which so is read opcode by opcode.
type slow struct {
	data string
	at   int
}

func (s *slow) Read(p []byte) (int, error) {
	n := copy(p[:min(len(p), 1+s.at%7)], s.data[s.at:])
	s.at += n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// behind is what lies behind a pickle: records are read at once where so much more is there.
var behind = strings.Repeat("\x00", 4*window)

// TestRecords reads dictionaries at once and opcode by opcode: what they are, and what is wrong with them, is the same.
func TestRecords(t *testing.T) {
	// Texts a and b are values 0 and 1, a list with the text a in it value 2.
	const head = "\x80\x04](\x8c\x01a\x94\x8c\x01b\x94]\x94(h\x00e"
	const record = "}\x94(h\x00K\x01h\x01M\x00\x01u"
	for _, c := range []struct{ data, want string }{
		{record + "e.", "{a 1 b 256}"},
		{record + record + "}\x94(h\x01h\x00u" + record + "e.", "{a 1 b 256} {a 1 b 256} {b a} {a 1 b 256}"},
		{"}\x94(j\x00\x00\x00\x00J\xff\xff\xff\xffh\x01\x8a\x06\x00\x01\x00\x00\x00\x00u}\x94(j\x00\x00\x00\x00j\x01\x00\x00\x00h\x01\x8a\x01\xffue.",
			"{a -1 b 256} {a b b -1}"},
		// Lists: full, empty, with one item, and called upon again by the number that they take behind the dictionary's.
		{"}\x94(h\x00]\x94(h\x01h\x01eh\x01]\x94uh\x04h\x05h\x03e.", "{a [b b] b []} [b b] [] {a [b b] b []}"},
		{"}\x94(h\x00]\x94(eh\x01K\x01uh\x04h\x03e.", "{a [] b 1} [] {a [] b 1}"},
		{"}\x94(h\x00]\x94h\x01ah\x01h\x02uh\x04e.", "{a [b] b [a]} [b]"},
		{"}\x94(h\x00]\x94(h\x01eh\x01h\x04ue.", "{a [b] b [b]}"},
		{"}\x94(" + strings.Repeat("h\x00]\x94", maxLists+1) + "ue.", "{a []" + strings.Repeat(" a []", maxLists) + "}"},
		// More keys, and fewer.
		{record + "}\x94(h\x00K\x07u" + record + "}\x94(h\x00K\x01h\x01K\x02h\x02K\x03ue.", "{a 1 b 256} {a 7} {a 1 b 256} {a 1 b 2 [a] 3}"},
		// Value 0 is another text from here on.
		{record + "\x8c\x01cq\x00" + record + "e.", "{a 1 b 256} c {c 1 b 256}"},
		// A dictionary that gets more.
		{"}\x94(h\x00K\x01u(h\x01K\x02ue.", "{a 1 b 2}"},
		{"}\x94(h\x00}\x94(h\x01K\x01uue.", "{a {b 1}}"},
		{"}\x94(h\x00h\x03ue.", ""}, {"}\x94(h\x00]\x94(h\x04eue.", ""}, {"}\x94(h\x00h\x09ue.", ""}, {"}\x94(h\x00ue.", ""}, {"}\x94(h\x00cos\nsystem\nue.", ""},
		{"}\x94(h\x00\x8a\x0a" + behind, ""}, {"}\x94(" + strings.Repeat("h\x00K\x01", 40) + "ue.", "{a 1" + strings.Repeat(" a 1", 39) + "}"},
		{"}\x94(h\x00]\x94(" + strings.Repeat("h\x01", 2000) + "eue.", "{a [b" + strings.Repeat(" b", 1999) + "]}"},
	} {
		if c.want != "" {
			c.want = "[a b [a] " + c.want + "]"
		}
		if got := same(t, head+c.data); got != c.want {
			t.Errorf("%.100q is %.300q, want %q", c.data, got, c.want)
		}
	}
}

// TestStamps reads long runs of dictionaries that differ here and there: what is alike among them is not read anew, what
// changes is.
func TestStamps(t *testing.T) {
	// Texts a to d are values 0 to 3.
	const head = "\x80\x02](\x8c\x01a\x94\x8c\x01b\x94\x8c\x01c\x94\x8c\x01d\x94"
	values := []string{"K\x01", "K\x02", "M\x00\x01", "J\x00\x00\x01\x00", "J\xff\xff\xff\xff", "\x8a\x02\x00\x01", "\x8a\x01\xff", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f",
		"\x8a\x00", "h\x01", "j\x02\x00\x00\x00", "]\x94", "]\x94(h\x02e", "]\x94(h\x02j\x03\x00\x00\x00e", "]\x94h\x01a", "N", "h\x63", "\x8c\x01eq\x03"}
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var data strings.Builder
		data.WriteString(head)
		keys := []string{"h\x00", "h\x01", "j\x02\x00\x00\x00", "h\x03"}[:1+r.IntN(4)]
		usual := make([]string, len(keys))
		for i := range usual {
			usual[i] = values[r.IntN(len(values)-4)]
		}
		for range 5 + r.IntN(30) {
			data.WriteString("}\x94(")
			for i, k := range keys {
				if r.IntN(20) == 0 {
					usual[i] = values[r.IntN(len(values))]
				}
				if r.IntN(60) > 0 {
					data.WriteString(k + usual[i])
				}
			}
			data.WriteString("u")
		}
		data.WriteString("e.")
		same(t, data.String())
	}
}

// same decodes at once and in pieces, and fails the test unless both come to the same.
func same(t *testing.T, data string) string {
	t.Helper()
	var at [2]SyntaxError
	var got [2]string
	for i, r := range []io.Reader{strings.NewReader(data + behind), &slow{data: data + behind}} {
		var err error
		got[i], err = decodeFrom(r)
		if s := (*SyntaxError)(nil); errors.As(err, &s) {
			at[i] = SyntaxError{Offset: s.Offset, Code: s.Code, Truncated: s.Truncated}
		} else if err != nil {
			t.Error(err)
		}
	}
	if got[0] != got[1] || at[0] != at[1] {
		t.Errorf("%.200q: at once %.200q %+v, in pieces %.200q %+v", data, got[0], at[0], got[1], at[1])
	}
	return got[0]
}

// FuzzDecode reads anything; a text says where it went wrong, within what is there.
func FuzzDecode(f *testing.F) {
	f.Add("\x80\x04](]\x94K\x01ah\x00e.")
	f.Add("\x80\x02cos\nsystem\n.")
	f.Add("\x80\x04](\x8c\x01a\x94\x8c\x01b\x94}\x94(h\x00]\x94(h\x01eh\x01M\x00\x01u}\x94(h\x00]\x94h\x01K\x02ue.")
	f.Add("\x80\x04](\x8c\x01a\x94\x8c\x01b\x94" + strings.Repeat("}\x94(h\x00K\x01h\x01]\x94u", 6) + "}\x94(h\x00K\x02h\x01h\x03ue.")
	f.Fuzz(func(t *testing.T, data string) {
		same(t, data)
		_, err := decode(data)
		var s *SyntaxError
		if err != nil && (!errors.As(err, &s) || s.Offset < 0 || s.Offset > int64(len(data))+window) {
			t.Errorf("%v", err)
		}
	})
}
