"use strict";
document.documentElement.classList.add("js");

{ // The switch between light and dark.
  const root = document.documentElement, button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  dark.addEventListener("change", show);
  show();
}

{ // Buttons that copy the text of an element.
  const said = document.getElementById("copied");
  const copy = async text => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  document.addEventListener("click", async event => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const name = button.textContent;
    await copy(document.getElementById(button.dataset.copy).textContent);
    said.textContent = "";
    button.textContent = "Copied";
    button.focus();
    said.textContent = "Copied to the clipboard";
    setTimeout(() => { button.textContent = name; }, 1500);
  });
}

{ // The filter of tests.
  // The form and the tests are looked up each time, because a page that follows a search replaces them.
  const formNow = () => document.getElementById("filter");
  {
    const texts = new WeakMap();
    const textOf = test => {
      if (!texts.has(test)) texts.set(test, test.textContent.toLowerCase());
      return texts.get(test);
    };
    const has = (list, value) => value === "" || list.split(" ").includes(value);
    const apply = () => {
      const form = formNow(), shown = document.getElementById("shown");
      if (!form) return;
      const text = form.elements.text, tests = [...document.querySelectorAll("details.test")];
      const words = text.value.toLowerCase().split(/\s+/).filter(w => w);
      const { status, operation, fault } = form.elements;
      let count = 0;
      for (const test of tests) {
        const { statuses, ops, faults } = test.dataset;
        const fits = has(statuses, status.value) && has(ops, operation.value) && has(faults, fault ? fault.value : "") &&
          words.every(w => textOf(test).includes(w));
        test.hidden = !fits;
        if (fits) count++;
      }
      shown.textContent = count === tests.length ? `${tests.length} tests` : `${count} of ${tests.length} tests`;
    };
    const ofForm = event => event.target.closest && event.target.closest("#filter");
    document.addEventListener("input", event => { if (ofForm(event)) apply(); });
    document.addEventListener("reset", event => { if (ofForm(event)) setTimeout(apply); });
    document.addEventListener("submit", event => { if (ofForm(event)) event.preventDefault(); });
    document.addEventListener("replaced", apply);
    document.addEventListener("keydown", event => {
      const typing = event.target.closest("input, select, textarea");
      const form = formNow(), text = form && form.elements.text;
      if (!form) return;
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        text.focus();
        text.scrollIntoView({ block: "center" });
      }
      if (event.key === "Escape" && typing === text) {
        form.reset();
        text.blur();
      }
    });
    document.addEventListener("click", event => {
      const link = event.target.closest("a[data-filter]");
      const form = formNow();
      if (!link || !form) return;
      form.reset();
      form.elements.fault.value = link.dataset.filter;
      setTimeout(apply);
    });
  }
}

{ // A link to a test or a fault opens it.
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || target.tagName !== "DETAILS") return;
    target.hidden = false;
    target.open = true;
    target.querySelector("summary").focus({ preventScroll: true });
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  document.addEventListener("click", event => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) open();
  });
  open();
}

{ // Printed pages show all details.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const d of closed) d.open = true;
  });
  addEventListener("afterprint", () => { for (const d of closed) d.open = false; });
}
