/* Small helps on pages that can be read without them: the ID of a record copied, the map zoomed and its lines traced. */
"use strict";
(() => {
  const button = (label, text, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "rw-button";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", action);
    return made;
  };

  function offerCopy(heading) {
    const id = heading.textContent;
    const copy = button(`Copy ${id}`, "copy", async () => {
      await navigator.clipboard.writeText(id);
      copy.textContent = "copied";
      setTimeout(() => { copy.textContent = "copy"; }, 1500);
    });
    copy.classList.add("rw-chip");
    document.querySelector(".rw-summary > .rw-chips").append(copy);
  }

  /* The drawing grows and shrinks in its box; what is in the middle stays there. */
  function offerZoom(map) {
    const drawing = map.querySelector("svg");
    const box = drawing.parentElement;
    const [width, height] = [drawing.width.baseVal.value, drawing.height.baseVal.value];
    let scale = 1;
    const zoom = factor => {
      const [x, y] = [box.scrollLeft + box.clientWidth / 2, box.scrollTop + box.clientHeight / 2];
      const before = scale;
      scale = factor ? Math.min(4, Math.max(0.25, scale * factor)) : Math.min(1, box.clientWidth / width);
      drawing.setAttribute("width", width * scale);
      drawing.setAttribute("height", height * scale);
      box.scrollTo(x * scale / before - box.clientWidth / 2, y * scale / before - box.clientHeight / 2);
    };
    const bar = document.createElement("div");
    bar.className = "rw-zoom";
    bar.append(
      button("Enlarge the map", "+", () => zoom(1.25)),
      button("Reduce the map", "−", () => zoom(0.8)),
      button("Fit the map into its box", "fit", () => zoom(0)),
    );
    box.before(bar);
  }

  function traceLines(map) {
    const lines = [...map.querySelectorAll(".rw-lines path")];
    const trace = node => {
      const id = node && node.dataset.id;
      for (const line of lines) line.classList.toggle("rw-near", Boolean(id) && [line.dataset.start, line.dataset.end].includes(id));
    };
    for (const event of ["mouseover", "focusin"]) map.addEventListener(event, ({ target }) => trace(target.closest(".rw-node")));
    for (const event of ["mouseleave", "focusout"]) map.addEventListener(event, () => trace(null));
  }

  function setUp() {
    const heading = document.querySelector("article h1 > .rw-id");
    if (heading && navigator.clipboard && !document.querySelector(".rw-summary .rw-button")) offerCopy(heading);
    for (const map of document.querySelectorAll(".rw-map:not(:has(.rw-zoom))")) {
      offerZoom(map);
      traceLines(map);
    }
  }

  if (window.document$) window.document$.subscribe(setUp);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", setUp);
  else setUp();
})();
