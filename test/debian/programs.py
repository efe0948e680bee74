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
# SoX counts readers: the first one sets a lock that the last one unsets.
UNSET_BY_ANOTHER = frozenset({"lock-misuse"})
PYTHON = "/usr/bin/python3 -c "
OPENMP_BLAS = "/usr/lib/x86_64-linux-gnu/openblas-openmp"
PROGRAMS = [
    Program("graphicsmagick", "graphicsmagick", "gm convert image.ppm -blur 0x3 -sharpen 0x2 -rotate 13 out.ppm"),
    Program("graphicsmagick-twice", "graphicsmagick", "gm convert image.ppm -median 3 -enhance out.ppm"),
    Program("imagemagick", "imagemagick", "convert-im6.q16 image.ppm -blur 0x3 -resize 70% -statistic Median 5x5 out.ppm",
            findings=INITIALISED_TWICE),
    Program("perlmagick", "libimage-magick-perl", "perl -MImage::Magick -e '$i = Image::Magick->new; $i->Read(\"image.ppm\"); "
            "$i->Blur(sigma => 4); $i->Write(\"out.ppm\")'", "/usr/share/doc/libimage-magick-perl", INITIALISED_TWICE),
    Program("sox", "sox", "sox --multi-threaded tone.wav out.wav rate -v 48000 reverb", findings=UNSET_BY_ANOTHER),
    Program("iqtree", "iqtree", "iqtree2 -s aligned.fa -m GTR+G -nt 2 -seed 1 -pre out -redo -quiet && cat out.treefile && rm -f out.*",
            most_time=1.7),  # 150,000 regions of 12 us each: LLVM's runtime takes 1 us more for one, the check 4
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
    Program("darktable", "darktable", "gm convert image.ppm in.jpg && darktable-cli in.jpg out.ppm --core --configdir dt --cachedir dt --library :memory: "
            ">/dev/null 2>&1"),
    Program("rawtherapee", "rawtherapee", "gm convert image.ppm in.jpg && rawtherapee-cli -q -o out.tif -t -Y -c in.jpg >/dev/null && "
            "gm convert out.tif out.ppm && rm out.tif"),
    Program("plastimatch", "plastimatch", "plastimatch synth --pattern gauss --dim 60 --output a.mha >/dev/null && "
            "plastimatch synth --pattern gauss --gauss-center '20 5 0' --dim 60 --output b.mha >/dev/null && "
            "printf '[GLOBAL]\\nfixed=a.mha\\nmoving=b.mha\\nimg_out=out.mha\\n[STAGE]\\nxform=bspline\\noptim=lbfgsb\\nimpl=plastimatch\\n"
            "threading=openmp\\nmax_its=20\\ngrid_spac=80 80 80\\n' >p.txt && plastimatch register p.txt >/dev/null"),
    Program("cdo", "cdo", "cdo -s -P 2 outputf,%g,8 -remapcon,r90x45 -topo"),
    Program("gmic", "gmic", "gmic image.ppm -blur 3 -sharpen 10 -median 5 -o out.ppm 2>/dev/null"),
    Program("rna-star", "rna-star", "mkdir -p index && head -n 40 reads.fa >genome.fa && "
            "STAR --runMode genomeGenerate --runThreadN 2 --genomeDir index --genomeFastaFiles genome.fa --genomeSAindexNbases 4 >/dev/null && "
            "STAR --runThreadN 2 --genomeDir index --readFilesIn reads.fa --outFileNamePrefix star. >/dev/null && "
            "grep -v ^@ star.Aligned.out.sam | sort >out.sam"),
    Program("mmseqs2", "mmseqs2", "mmseqs easy-cluster protein.fa out.d tmp --threads 2 -v 1 >/dev/null && sort out.d_cluster.tsv >out.tsv; rm -rf out.d* tmp"),
    Program("ergo", "ergo", "printf 'molecule_inline Angstrom\\nO 0 0 0.119\\nH 0 0.763 -0.477\\nH 0 -0.763 -0.477\\nEOF\\nbasis = \"6-31Gss\"\\n"
            "run \"HF\"\\n' | ergo | grep 'dipole_moment_z'", "/usr/bin/ergo"),
    Program("john", "john", "printf 'a:$1$abcdefgh$irWbblnpmw.5z7wgBnprh0\\n' >pw; seq 1000 9000 >words; john --format=md5crypt --wordlist=words --session=s pw "
            ">/dev/null 2>&1; john --show pw | head -n 1", "/usr/sbin/john"),
    Program("spaced", "spaced", "spaced -t 2 -o out.dist dna.fa >/dev/null"),
    Program("xgboost", "python3-xgboost", PYTHON + "'import numpy, xgboost as x; r = numpy.random.RandomState(0); a = r.rand(4000, 8); "
            "m = x.XGBRegressor(n_estimators=30, n_jobs=2).fit(a, a[:, 0] * a[:, 1]); print(round(float(m.predict(a).sum()), 2))'",
            "/usr/lib/python3/dist-packages/xgboost"),
    Program("faiss", "python3-faiss", PYTHON + "'import numpy, faiss; a = numpy.random.RandomState(0).rand(20000, 16).astype(\"float32\"); "
            "i = faiss.IndexIVFFlat(faiss.IndexFlatL2(16), 16, 64); i.train(a); i.add(a); print(i.search(a[:500], 5)[1].sum())'",
            "/usr/lib/python3/dist-packages/faiss"),
    # Limits its own address space.
    Program("spades", "spades", "spades.py --only-assembler -t 2 -m 4 -k 21,33 -s reads.fa -o assembly >/dev/null 2>&1; s=$?; "
            "cp assembly/contigs.fasta out.fa; rm -rf assembly; exit $s", "/usr/bin/spades.py"),
    Program("phylonium", "phylonium", "mkdir -p one; awk '/^>/ { f = \"one/\" substr($1, 2) \".fa\" } { print >f }' dna.fa; phylonium -t 2 one/*.fa 2>/dev/null"),
    Program("enfuse", "enfuse", "gm convert image.ppm a.tif; gm convert image.ppm -gamma 1.4 b.tif; enfuse -v0 -o out.tif a.tif b.tif && "
            "gm convert out.tif out.ppm && rm out.tif"),
    Program("numba", "python3-numba", PYTHON + "'\nimport numba, numpy\nnumba.config.THREADING_LAYER = \"omp\"\n@numba.njit(parallel=True)\ndef f(a):\n"
            "  s = 0.0\n  for i in numba.prange(len(a)): s += a[i] * 2\n  return s\nprint(f(numpy.arange(1e6)), numba.threading_layer())'",
            "/usr/lib/python3/dist-packages/numba"),
    Program("john", "john", "export HOME=$PWD JOHN=$PWD; rm -rf .john; for w in abc hello zebra12; do echo u$w:$(openssl passwd -1 -salt ab$w $w); done >h; "
            "(seq 1 8000; echo abc; echo hello; echo zebra12) >w; /usr/sbin/john --session=$PWD/s --wordlist=w h >/dev/null 2>&1; s=$?; "
            "/usr/sbin/john --show h; rm -rf .john; exit $s", "/usr/sbin/john"),
    Program("blast", "ncbi-blast+", "makeblastdb -in protein.fa -dbtype prot -out db >/dev/null; blastp -num_threads 2 -query protein.fa -db db -outfmt 6"),
    Program("rpmbuild", "rpm", "mkdir -p top; printf 'Name: a\\nVersion: 1\\nRelease: 1\\nSummary: a\\nLicense: x\\n%%description\\na\\n%%install\\n"
            "mkdir -p %%{buildroot}/opt/a\\nfor i in 1 2 3 4 5 6 7 8; do cp '$PWD'/image.ppm %%{buildroot}/opt/a/$i; done\\n%%files\\n/opt/a\\n"
            "%%package b\\nSummary: b\\n%%description b\\nb\\n%%files b\\n' >a.spec; rpmbuild -bb --nodeps --define \"_topdir $PWD/top\" a.spec >/dev/null 2>&1; "
            "s=$?; rpm -qpl top/RPMS/*/*.rpm 2>/dev/null; rm -rf top; exit $s", "/usr/bin/rpmbuild"),
    Program("pfstools", "pfstools pfstmo", "for f in fattal02 mantiuk06 durand02; do pfsin image.ppm | pfstmo_$f 2>/dev/null | pfsout out.$f.ppm; done",
            "/usr/bin/pfstmo_fattal02"),
    Program("fastani", "fastani", PYTHON + "'\nimport random\nchance, g = random.Random(4), []\ng = [chance.choice(\"ACGT\") for _ in range(400000)]\n"
            "for n in \"abc\":\n  open(f\"g{n}.fa\", \"w\").write(f\">{n}\\n\" + \"\".join(g) + \"\\n\")\n"
            "  for _ in range(8000): g[chance.randrange(400000)] = chance.choice(\"ACGT\")\n'; ls g?.fa >list; "
            "fastANI -t 2 --ql list --rl list -o result >/dev/null 2>&1; s=$?; sort result; exit $s", "/usr/bin/fastANI"),
    Program("cmtk", "cmtk", "for x in 30 33; do cmtk mk_phantom_3d --dims 60,60,60 --voxel 1,1,1 -o $x.nii sphere $x,30,30 12 100 >/dev/null 2>&1; done; "
            "cmtk registration --threads 2 --dofs 3 -o shift 30.nii 33.nii >/dev/null 2>&1; s=$?; grep xlate shift/registration; exit $s", "/usr/bin/cmtk"),
    Program("pcl", "pcl-tools", PYTHON + "'\nimport random\nchance, n = random.Random(4), 8000\nprint(f\"VERSION .7\\nFIELDS x y z\\nSIZE 4 4 4\\nTYPE F F F\\n"
            "COUNT 1 1 1\\nWIDTH {n}\\nHEIGHT 1\\nPOINTS {n}\\nDATA ascii\")\nfor _ in range(n): print(chance.random(), chance.random(), 0.1 * chance.random())' >c.pcd; "
            "pcl_normal_estimation c.pcd out.1.pcd -k 20 >/dev/null 2>&1; s=$?; pcl_fpfh_estimation out.1.pcd out.2.pcd -k 15 >/dev/null 2>&1; "
            "pcl_mls_smoothing c.pcd out.3.pcd -radius 0.1 >/dev/null 2>&1; exit $s", "/usr/bin/pcl_normal_estimation"),
    Program("galpy", "python3-galpy", PYTHON + "'import numpy as n; from galpy.potential import MWPotential2014 as p; from galpy.orbit import Orbit; "
            "o = Orbit([[1.0, 0.1, 1.1, 0.1, 0.1, float(i)] for i in range(30)]); "
            "o.integrate(n.linspace(0, 20, 501), p, method=\"dop853_c\", numcores=2, progressbar=False); print(round(float(n.abs(o.x(20.0)).sum()), 6))' 2>/dev/null",
            "/usr/lib/python3/dist-packages/galpy"),
    Program("r-collapse", "r-cran-collapse", "Rscript -e 'suppressMessages(library(collapse)); set.seed(1); x <- runif(4e5); g <- sample.int(50, 4e5, TRUE); "
            "print(fsum(x, g, nthreads=2)[1:4]); print(fmean(matrix(x, ncol=8), nthreads=2))'", "/usr/lib/R/site-library/collapse"),
    # numpy and scipy over a BLAS that uses OpenMP, by threads and by processes that begin anew.
    Program("openblas-openmp", "python3-scipy libopenblas0-openmp", f"""cat >blas.py <<'X'
import multiprocessing, threading, numpy, scipy.linalg
def work(i):
    a = numpy.random.RandomState(i).rand(250, 250)
    return round(float((a @ a).sum() + scipy.linalg.svdvals(a).sum()), 4)
if __name__ == "__main__":
    print(work(0))
    results = [0] * 3
    threads = [threading.Thread(target=lambda i=i: results.__setitem__(i, work(i))) for i in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    print(results)
    for method in "spawn", "forkserver":
        with multiprocessing.get_context(method).Pool(2) as pool: print(pool.map(work, range(3)))
X
LD_LIBRARY_PATH={OPENMP_BLAS} /usr/bin/python3 blas.py""", f"{OPENMP_BLAS}/libblas.so.3"),
    Program("script", "graphicsmagick", "sh -c 'for i in 1 2 3; do nice gm convert image.ppm -blur 0x$i out$i.ppm; done; "
            "ls out*.ppm | xargs -P 2 -n 1 env A=b gm identify | sort | cut -d \" \" -f 1-3'", "/usr/bin/gm"),
]
