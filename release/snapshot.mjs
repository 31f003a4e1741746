// Writes down the memory of a Python that has run a program with plait, so that a browser can begin there:
//   node snapshot.mjs FOLDER_OF_PYODIDE ARCHIVE PROGRAM SNAPSHOT
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [pyodide, archive, program, snapshot] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ _makeSnapshot: true, env: { HOME: "/home", LANG: "C.UTF-8" } });
python.FS.writeFile("/plait.zip", readFileSync(archive));
python.FS.mkdirTree("/files");
python.FS.chdir("/files");
try {
  python.runPython(readFileSync(program, "utf8"));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
writeFileSync(snapshot, gzipSync(python.makeMemorySnapshot(), { level: 9 }));
