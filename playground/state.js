// What the page shows, as the part of the address behind `#`: an example by its name, or everything, packed.

export async function packed(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const small = await piped(bytes, new CompressionStream("deflate-raw"));
  const text = btoa(Array.from(small, (byte) => String.fromCharCode(byte)).join(""));
  return `state=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const state = JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw"))));
  return checked(state);
}

async function piped(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// An address may come from anybody: only what a state has is taken from it
function checked({ front, profile, target, files }) {
  const named = files.map(([name, text]) => [safe(String(name)), String(text)]).filter(([name]) => name);
  return { front: String(front), profile: String(profile || ""), target: String(target || ""), files: named };
}

// A name of a file inside of the folder
export function safe(name) {
  return name.trim().split("/").filter((part) => part && part !== "." && part !== "..").join("/");
}
