// The part of [0, length] that a picture shows, and how a reader moves it.

class Span {
  constructor(length, least) {
    this.length = Math.max(length, 1);
    this.least = Math.min(least, this.length);
    this.whole();
  }

  whole() {
    this.from = 0;
    this.to = this.length;
  }

  get size() { return this.to - this.from; }

  // zoom makes the part as many times as large, around a place that stays where it is.
  zoom(times, place) {
    const size = clamp(this.size * times, this.least, this.length);
    this.move(place - (place - this.from) * (size / this.size), size);
  }

  move(from, size = this.size) {
    this.from = clamp(from, 0, this.length - size);
    this.to = this.from + size;
  }

  // reveal moves the part so that a place is in it.
  reveal(place) {
    if (place < this.from || place >= this.to) this.move(place - this.size / 2);
  }
}
