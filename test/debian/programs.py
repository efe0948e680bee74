# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenMP programs of Debian 12, as they are: what is run (in a shell, in a folder with the files of inputs.py), the program that
must be there, and the package that has it. Most are gcc's; the libraries of some are loaded later, some are scripts."""

import dataclasses


@dataclasses.dataclass
class Program:
    name: str
    package: str
    command: str
    needs: str = ""  # a file; else the first word of the command
    findings: frozenset = frozenset()  # the rules that it breaks
    most_time: float = 1.15  # checked, of plain


# ImageMagick initialises a static lock again as it ends, without having destroyed it.
INITIALISED_TWICE = frozenset({"lock-misuse"})
PYTHON = "/usr/bin/python3 -c "
PROGRAMS = [
    Program("graphicsmagick", "graphicsmagick", "gm convert image.ppm -blur 0x3 -sharpen 0x2 -rotate 13 out.ppm"),
    Program("graphicsmagick-twice", "graphicsmagick", "gm convert image.ppm -median 3 -enhance out.ppm"),
    Program("imagemagick", "imagemagick", "convert-im6.q16 image.ppm -blur 0x3 -resize 70% -statistic Median 5x5 out.ppm",
            findings=INITIALISED_TWICE),
    Program("perlmagick", "libimage-magick-perl", "perl -MImage::Magick -e '$i = Image::Magick->new; $i->Read(\"image.ppm\"); "
            "$i->Blur(sigma => 4); $i->Write(\"out.ppm\")'", "/usr/share/doc/libimage-magick-perl", INITIALISED_TWICE),
    Program("sox", "sox", "sox --multi-threaded tone.wav out.wav rate -v 48000 reverb",
            findings=frozenset({"lock-order-cycle"})),  # a warning: a lock of readers and writers made of five locks
    Program("iqtree", "iqtree", "iqtree2 -s aligned.fa -m GTR+G -nt 2 -seed 1 -pre out -redo -quiet && cat out.treefile && rm -f out.*",
            most_time=1.7),  # 150,000 regions of 12 us each
    Program("kalign", "kalign", "kalign -n 2 -i protein.fa -o out.fa"),
    Program("clustalo", "clustalo", "clustalo --threads=2 --force -i protein.fa -o out.fa"),
    Program("muscle", "muscle", "head -n 40 protein.fa >few.fa; muscle -threads 2 -align few.fa -output out.fa 2>/dev/null", "/usr/bin/muscle"),
    Program("velvet", "velvet", "velveth out.d 21 -fasta -short reads.fa >/dev/null && velvetg out.d >/dev/null && cp out.d/contigs.fa out.fa "
            "&& rm -r out.d"),
    Program("sumaclust", "sumaclust", "sumaclust -p 2 -t 0.9 dna.fa 2>/dev/null"),
    Program("fasttree", "fasttree", "fasttreeMP -nt -quiet aligned.fa"),
    Program("cd-hit", "cd-hit", "cd-hit -T 2 -c 0.7 -i protein.fa -o out.fa >/dev/null"),
    Program("ntcard", "ntcard", "ntcard -t 2 -k 21 -p out reads.fa 2>/dev/null"),
    Program("megahit", "megahit", "megahit -t 2 -r reads.fa -o out.d 2>/dev/null && sort out.d/final.contigs.fa >out.fa && rm -r out.d"),
    Program("jpegqs", "jpegqs", "gm convert image.ppm in.jpg && jpegqs --threads 2 in.jpg out.jpg >/dev/null"),
    Program("par2", "par2", "rm -f out*; par2 create -q -q -t2 -r20 out image.ppm"),
    Program("primecount", "primecount-bin", "primecount 10000000000000 --threads=2"),
    Program("gettext", "gettext", "msgmerge --quiet old.po new.pot -o out.po"),
    Program("gmsh", "gmsh", "gmsh -3 -nt 2 -v 0 box.geo -o out.msh"),
    Program("ngspice", "ngspice", "ngspice -b ladder.cir | grep -v -i -e time -e memory -e cpu -e size -e page"),
    Program("mopac", "mopac", "mopac water.dat 2>/dev/null; grep 'FINAL HEAT' water.out"),
    Program("octave", "octave", "octave-cli --no-gui --no-init-file --eval 'a = reshape(1:90000, 300, 300); printf(\"%g\\n\", sum(sum(a * a)))'",
            "/usr/bin/octave-cli"),
    Program("r", "r-cran-data.table", "Rscript -e 'suppressMessages(library(data.table)); setDTthreads(2); set.seed(1); "
            "d <- data.table(k = sample(50, 3e5, TRUE), v = runif(3e5)); print(d[, sum(v), by = k][order(k)][1:5])'",
            "/usr/lib/R/site-library/data.table"),
    Program("numpy", "python3-numpy", PYTHON + "'import numpy; a = numpy.arange(250000.0).reshape(500, 500); print((a @ a).sum())'",
            "/usr/lib/python3/dist-packages/numpy"),
    Program("scikit-learn", "python3-sklearn", PYTHON + "'import numpy, sklearn.cluster as c; a = numpy.random.RandomState(0).rand(3000, 4); "
            "print(round(c.KMeans(8, random_state=0, n_init=2).fit(a).inertia_, 4))'", "/usr/lib/python3/dist-packages/sklearn"),
    Program("script", "graphicsmagick", "sh -c 'for i in 1 2 3; do nice gm convert image.ppm -blur 0x$i out$i.ppm; done; "
            "ls out*.ppm | xargs -P 2 -n 1 env A=b gm identify | sort | cut -d \" \" -f 1-3'", "/usr/bin/gm"),
]
