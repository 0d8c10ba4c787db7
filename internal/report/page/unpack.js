// The columns that pack.go writes: varints, packed by gzip, in base64.

async function unpack(text) {
  const letters = atob(text), packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Numbers(new Uint8Array(await new Response(stream).arrayBuffer()));
}

class Numbers {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  next() {
    let n = 0, place = 1;
    for (;;) {
      const b = this.bytes[this.at++];
      if (!(b > 127)) return n + b * place; // no number at all behind the end
      n += (b - 128) * place;
      place *= 128;
    }
  }

  // signed undoes zigzag.
  signed() {
    const n = this.next();
    return n % 2 ? -(n + 1) / 2 : n / 2;
  }
}
