// Runs commands of plait on a Python that is not on this machine but that npm has as WebAssembly:
//   node wasm.mjs FOLDER_OF_PACKAGES WORKING_FOLDER < commands as JSON    prints {version, answers} as JSON
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const python = await loadPyodide({ env: { HOME: "/work", TERM: "dumb", LANG: "C.UTF-8" } });
const [packages, work] = process.argv.slice(2);
for (const [place, root] of [["/packages", packages], ["/work", work]]) {
  python.FS.mkdirTree(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
python.globals.set("commands", readFileSync(0, "utf8"));
console.log(python.runPython(`
import contextlib, hashlib, io, json, os, sys, warnings
os.geteuid = getattr(os, "geteuid", os.getuid)  # not in WebAssembly
hashlib.pbkdf2_hmac = getattr(hashlib, "pbkdf2_hmac", None)
sys.path.insert(0, "/packages")
os.chdir("/work")
from plait.apps.cli import main
warnings.filterwarnings("error", module="plait")
answers = []
for words in json.loads(commands):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = main(words)
    answers.append([status, printed.getvalue()])
json.dumps({"version": sys.version.split()[0], "answers": answers})
`));
