"use strict";
{ // The strip of the running search, and new versions of the page.
  const strip = document.getElementById("live"), form = strip.querySelector("form");
  const phase = strip.querySelector(".phase"), figures = strip.querySelector(".numbers"), bar = strip.querySelector("progress");
  const answer = form.querySelector("output");

  // The token is in the fragment of the address, which browsers do not send. It is kept for this tab.
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname);
  }
  const token = sessionStorage.getItem("token");

  const command = async body => {
    const response = await fetch("/command", {
      method: "POST", headers: { "Content-Type": "application/json", "X-Sonde-Token": token }, body: JSON.stringify(body),
    }).catch(() => null);
    answer.textContent = !response ? "no connection" : response.ok ? "done" : (await response.text()).trim();
  };
  form.addEventListener("submit", event => event.preventDefault());
  form.elements.pause.addEventListener("click", () => command({ do: strip.dataset.phase === "paused" ? "resume" : "pause" }));
  form.elements.stop.addEventListener("click", () => command({ do: "stop" }));
  for (const input of form.querySelectorAll("input")) {
    input.addEventListener("change", () => {
      if (input.checkValidity() && input.value !== "") command({ change: { knob: input.name, value: Number(input.value) } });
    });
  }

  const count = n => n.toLocaleString("en");
  const show = (name, s) => {
    strip.dataset.phase = name;
    if (phase.textContent !== name) phase.textContent = name;
    if (!s) return;
    bar.value = s.used;
    const parts = [`${count(s.calls)}${s.budget ? " of " + count(s.budget) : ""} calls`, `${count(Math.round(s.rate))} a second`,
      `${count(s.covered)} of ${count(s.targets)} targets`, `${count(s.faults)} faults`, `${count(s.tests)} tests`];
    if (s.left) parts.push(`about ${count(s.left)} s left`);
    figures.textContent = parts.join(" · ");
    form.hidden = !s.write || !token || name !== "running" && name !== "paused";
    form.elements.pause.textContent = name === "paused" ? "Resume" : "Pause";
    for (const input of form.querySelectorAll("input")) {
      if (input !== document.activeElement) input.value = s.tuning[input.name];
    }
  };

  // replace takes over what has changed in a newer page. What is open stays open, and the focus and the filter stay.
  const replace = newer => {
    const open = [...document.querySelectorAll("details[open]")].map(d => d.id);
    const focused = document.activeElement && document.activeElement.id, values = {};
    const filter = document.getElementById("filter");
    if (filter) for (const e of filter.elements) if (e.name) values[e.name] = e.value;
    for (const part of [...newer.querySelectorAll("main > section"), newer.querySelector(".top nav")]) {
      const now = part.id ? document.getElementById(part.id) : document.querySelector(".top nav");
      if (!now) {
        document.querySelector("main > footer").before(document.adoptNode(part));
      } else if (now.innerHTML !== part.innerHTML && !now.contains(document.activeElement?.closest("input, select, textarea"))) {
        now.replaceWith(document.adoptNode(part));
      }
    }
    for (const id of open) {
      const d = id && document.getElementById(id);
      if (d) d.open = true;
    }
    const form = document.getElementById("filter");
    if (form) for (const [name, value] of Object.entries(values)) if (form.elements[name]) form.elements[name].value = value;
    document.dispatchEvent(new Event("replaced"));
    if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus({ preventScroll: true });
  };
  const refresh = async () => {
    const response = await fetch("/").catch(() => null);
    if (response && response.ok) replace(new DOMParser().parseFromString(await response.text(), "text/html"));
  };

  const events = new EventSource("/events");
  let last = 0, seen = "";
  events.addEventListener("state", event => {
    const s = JSON.parse(event.data);
    show(s.phase, s);
    const key = [s.calls, s.covered, s.faults, s.phase].join();
    if (key !== seen && Date.now() - last > 3000) {
      last = Date.now();
      seen = key;
      refresh();
    }
  });
  events.addEventListener("end", event => {
    events.close();
    show("ended", JSON.parse(event.data));
    refresh();
  });
  events.addEventListener("error", () => {
    if (strip.dataset.phase !== "ended") show("lost");
    if (strip.dataset.phase === "lost") phase.textContent = "lost: the search has ended, or its address cannot be reached";
  });
}
