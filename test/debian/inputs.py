# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs read: made by a generator of pseudo-random numbers, the same each time."""

import math
import pathlib
import random
import struct
import sys
import wave

NUCLEOTIDES, AMINO_ACIDS = "ACGT", "ACDEFGHIKLMNPQRSTVWY"


def text_of(chance, length, letters):
    return "".join(chance.choice(letters) for _ in range(length))


def relatives(chance, count, length, letters, difference, gaps):
    """Sequences that differ from one common one in some letters; `gaps`: in length, too."""
    ancestor = text_of(chance, length, letters)
    for i in range(count):
        letters_of_one = [chance.choice(letters) if chance.random() < difference else letter for letter in ancestor]
        if gaps and chance.random() < 0.5:
            at = chance.randrange(length)
            del letters_of_one[at:at + 3]
        yield f">s{i}\n{''.join(letters_of_one)}\n"


def reads(chance, genome_length, count, length):
    genome = text_of(chance, genome_length, NUCLEOTIDES)
    for i in range(count):
        at = chance.randrange(genome_length - length)
        yield f">r{i}\n{genome[at:at + length]}\n"


def image(chance, width, height):
    def value(x, y, colour):
        return int(128 + 60 * math.sin(x / 9) + 60 * math.cos(y / 13 + colour) + chance.randrange(8)) & 255

    pixels = bytes(value(x, y, colour) for y in range(height) for x in range(width) for colour in range(3))
    return f"P6 {width} {height} 255\n".encode() + pixels


def catalogue(word, translated):
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    return head + "".join(f'msgid "message number {i} of {word} here"\nmsgstr "{"Nachricht " + str(i) if translated else ""}"\n\n'
                          for i in range(800))


def make(folder):
    chance = random.Random(1)
    texts = {
        "dna.fa": "".join(relatives(chance, 60, 700, NUCLEOTIDES, 0.12, True)),
        "protein.fa": "".join(relatives(chance, 60, 300, AMINO_ACIDS, 0.3, True)),
        "aligned.fa": "".join(relatives(chance, 12, 800, NUCLEOTIDES, 0.1, False)),
        "reads.fa": "".join(reads(chance, 30000, 12000, 100)),
        "old.po": catalogue("many that are", True),
        "new.pot": catalogue("the many that were", False),
        "box.geo": "Point(1)={0,0,0,0.07}; Point(2)={1,0,0,0.07}; Point(3)={1,1,0,0.07}; Point(4)={0,1,0,0.07};\n"
                   "Line(1)={1,2}; Line(2)={2,3}; Line(3)={3,4}; Line(4)={4,1};\n"
                   "Curve Loop(1)={1,2,3,4}; Plane Surface(1)={1}; Extrude{0,0,1}{Surface{1};}\n",
        "water.dat": "PM7 NOSYM\nwater\n\nO 0 1 0 1 0.119 1\nH 0 1 0.763 1 -0.477 1\nH 0 1 -0.763 1 -0.477 1\n",
        "ladder.cir": "a ladder of resistors and capacitors\nv1 1 0 pulse(0 1 0 1n 1n 5n 10n)\n" +
                      "".join(f"r{i} {i} {i + 1} 100\nc{i} {i + 1} 0 1p\nm{i} {i + 1} {i} 0 0 nm\n" for i in range(1, 60)) +
                      ".model nm nmos level=1\n.tran 0.1n 40n\n.print tran v(5)\n.end\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "image.ppm").write_bytes(image(chance, 500, 400))
    with wave.open(str(folder / "tone.wav"), "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(44100)
        sound.writeframes(b"".join(struct.pack("<hh", int(9000 * math.sin(i / 20)), int(9000 * math.sin(i / 33)))
                                   for i in range(44100 * 8)))


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]))
