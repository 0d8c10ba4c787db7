"""The steps are taken within a list comprehension, which sees the names of the function around it."""

from common import Net, fit


class Book:
    def __init__(self):
        self.rows = []

    def add(self, step, x, out, loss):
        self.rows.append(out.detach())  # leak


def main():
    book = Book()
    return [fit(Net(), book.add) for _ in range(1)]


main()
