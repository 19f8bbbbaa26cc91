// file is what a file has that an environment variable or else the path of one beside this
// file names; undefined where none does.
function file(variable, path) {
  const named = process.env[variable] || (path && fileURLToPath(new URL(path, import.meta.url)));
  return named ? readFileSync(named) : undefined;
}

// fetch sends a request by a connection of its own, by TLS with these files: that of Node.js takes
// none.
function fetch(url, { method, headers, body, signal }) {
  return new Promise((resolve, reject) => {
    const sent = (url.startsWith("https:") ? https : http).request(url, { method, headers, signal, agent: false, ...files }, (answer) => {
      const parts = [];
      answer.on("error", reject);
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => resolve({
        status: answer.statusCode,
        text: async () => Buffer.concat(parts).toString(),
        headers: {
          get: (name) => [answer.headers[name.toLowerCase()] ?? null].flat().join(", ") || null,
          getSetCookie: () => answer.headers["set-cookie"] || [],
        },
      }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
