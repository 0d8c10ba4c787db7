package snapshot

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// maxWindow is how much memory a file compressed by zstd or xz may ask for; `xz -9` asks for 64 MiB.
const maxWindow = 128 << 20

// ErrPacking is a compressed file that cannot be decompressed: damaged, or cut short.
var ErrPacking = errors.New("decompressing")

// Open reads the snapshot in a file, also a compressed one.
func Open(path string) (*Snapshot, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, errors.New("a folder, not a snapshot")
	}
	return Unpack(f)
}

// Unpack reads a snapshot that may be compressed.
func Unpack(packed io.Reader) (*Snapshot, error) {
	r, err := decompress(packed)
	if err != nil {
		return nil, err
	}
	return Read(r)
}

// decompress looks at how r begins: gzip, xz, zstd, or the pickle itself.
func decompress(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, _ := b.Peek(6)
	var unpacked io.Reader
	var err error
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		unpacked, err = gzip.NewReader(b)
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		unpacked, err = xz.NewReader(b, maxWindow)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		var z *zstd.Decoder
		if z, err = zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow)); err == nil {
			unpacked = z.IOReadCloser()
		}
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, errors.New("a zip archive, as torch.save writes it, not a snapshot: use torch.cuda.memory._dump_snapshot")
	case bytes.HasPrefix(head, []byte("{")) || bytes.HasPrefix(head, []byte("[")):
		return nil, errors.New("text, it may be JSON, not a snapshot: use torch.cuda.memory._dump_snapshot")
	default:
		// The decoder has a buffer of its own.
		return io.MultiReader(io.LimitReader(b, int64(b.Buffered())), r), nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPacking, err)
	}
	return &unpacking{unpacked}, nil
}

// unpacking names what failed.
type unpacking struct{ r io.Reader }

func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w: %w", ErrPacking, err)
	}
	return n, err
}

// Compress returns what compresses as a file's ending says, nil where it says nothing.
func Compress(w io.Writer, ending string) (io.WriteCloser, error) {
	switch ending {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	case ".xz":
		return nil, errors.New("only .gz and .zst are written compressed")
	}
	return nil, nil
}
