# SPDX-License-Identifier: BSD-3-Clause
"""Makes the index of the manual that `orrery help WORD` searches: manual_index.py PAGE... > FILE."""

import os
import re
import sys

HEAD = """\
# Index of the manual of Orrery, UTF-8: a line for each paragraph, item, row of a table and block of
# code, in the order of pages (by name, those that the build makes of tables last) and of their text.
# Four columns, separated by tabs: the file of the page; the anchor of the nearest heading, as GitHub
# makes it, empty above the first one; the headings from the title of the page down, separated by
# " > "; the text, without marks of Markdown. Lines that begin with # are comments.
"""
# Pages that the build makes.
MADE = re.compile(r"(classes-[\w-]+|commands|components|message-types|python-\w+|scene|services|streams)\.md")
ITEM = re.compile(r"\s*(?:[-*+]|\d+\.)\s+")
RULE = re.compile(r"\s*\|[\s:|-]+\|\s*")


def plain(text):
    """Without marks, and with the words of links alone."""
    text = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*([^*]+)\*\*|(?<!\w)\*([^*\s][^*]*)\*", lambda match: match[1] or match[2], text)
    return " ".join(text.replace("`", "").replace("\\|", "|").split())


def cells(row):
    """What a row of a table says, in one line."""
    parts = [plain(cell) for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
    return " | ".join(part for part in parts if part)


class Page:
    def __init__(self, path):
        self.name = os.path.basename(path)
        self.headings = []  # (level, text)
        self.anchor = ""
        self.anchors = {}
        self.all_anchors = []  # of the headings, in their order
        self.open = []  # lines of a paragraph
        self.in_item = False
        self.records = []
        with open(path, encoding="utf-8") as file:
            self.read(file.read().splitlines())

    def read(self, lines):
        fence = None
        for line in lines:
            mark = re.match(r"\s*(```+|~~~+)", line)
            if fence is not None or mark:
                if mark and fence in (None, mark[1]):
                    self.close(fence is None)
                    fence = mark[1] if fence is None else None
                else:
                    self.open.append(line)
            elif re.match(r"#{1,6} ", line):
                self.close()
                self.head(line)
            elif not line.strip():
                self.close()
            elif line.lstrip().startswith("|"):
                self.close()
                if not RULE.fullmatch(line):
                    self.add(cells(line))
            else:
                if self.begins_item(line):
                    self.close()
                    line = ITEM.sub("", line, count=1)
                    self.in_item = True
                self.open.append(line)
        self.close()

    def begins_item(self, line):
        """Within a paragraph `143. ` is the end of a sentence."""
        return ITEM.match(line) and (self.in_item or not self.open or re.match(r"\s*(?:[-*+]|1\.)\s", line))

    def head(self, line):
        level = len(line) - len(line.lstrip("#"))
        text = plain(line.strip("# "))
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        n = self.anchors[slug] = self.anchors.get(slug, -1) + 1
        self.anchor = "%s-%d" % (slug, n) if n else slug
        self.all_anchors.append(self.anchor)
        self.headings = [heading for heading in self.headings if heading[0] < level] + [(level, text)]

    def close(self, is_prose=True):
        text = " ".join(self.open)
        self.open, self.in_item = [], False
        self.add(plain(text) if is_prose else " ".join(text.split()))

    def add(self, text):
        if text:
            self.records.append((self.name, self.anchor, " > ".join(text for _, text in self.headings), text))


def in_order(paths):
    """What is said first counts more where two places say a word equally well: guides before tables of everything."""
    return sorted(paths, key=lambda path: (MADE.fullmatch(os.path.basename(path)) is not None, os.path.basename(path)))


def main(paths):
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write(HEAD)
    for path in in_order(paths):
        for record in Page(path).records:
            print("\t".join(record))


if __name__ == "__main__":
    main(sys.argv[1:])
