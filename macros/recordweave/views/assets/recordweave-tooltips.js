/* Tooltips for controlled values and for references to other sites: what the title says, on hover and on focus.

   The text is set as text: titles hold what records say, and that is never HTML. Without this, browsers show titles
   when the pointer rests on them, and the links lead to the glossary or to the record. */
"use strict";
(() => {
  const EXPLAINED = ".md-typeset :is(a.rw-term, a.rw-ref, a.rw-source)[title]:not([data-preview])";
  const GAP = 6;
  const EDGE = 8;
  const box = document.createElement("div");
  box.id = "rw-tooltip";
  box.className = "rw-tooltip";
  box.setAttribute("role", "tooltip");
  let link = null;
  let title = "";
  let leaving = 0;

  function show(target) {
    clearTimeout(leaving);
    if (target === link) return;
    hide();
    link = target;
    title = link.title;
    link.removeAttribute("title"); /* else the browser shows it too */
    link.setAttribute("aria-describedby", box.id);
    box.textContent = title;
    (document.querySelector("main") || document.body).append(box);
    place();
  }

  function hide() {
    clearTimeout(leaving);
    if (!link) return;
    link.title = title;
    link.removeAttribute("aria-describedby");
    link = null;
    box.remove();
  }

  /* Below the first line of the link, or above it where there is no room, and within the window. */
  function place() {
    if (!link) return;
    const [line] = link.getClientRects();
    if (!link.isConnected || !line || line.bottom < 0 || line.top > innerHeight) return void hide();
    const { width, height } = box.getBoundingClientRect();
    const below = line.bottom + GAP;
    const top = below + height + EDGE <= innerHeight ? below : line.top - GAP - height;
    box.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - height - EDGE))}px`;
    box.style.left = `${Math.max(EDGE, Math.min(line.left, innerWidth - width - EDGE))}px`;
  }

  const explained = event => (event.target instanceof Element ? event.target.closest(EXPLAINED) : null);

  document.addEventListener("mouseover", event => {
    const target = explained(event);
    if (target) show(target);
    else if (link && (link.contains(event.target) || box.contains(event.target))) clearTimeout(leaving);
  });
  document.addEventListener("mouseout", event => {
    if (link && (link.contains(event.target) || box.contains(event.target))) {
      clearTimeout(leaving);
      leaving = setTimeout(hide, 120); /* time to move onto the tooltip */
    }
  });
  document.addEventListener("focusin", event => {
    const target = explained(event);
    if (target && target.matches(":focus-visible")) show(target);
  });
  document.addEventListener("focusout", event => {
    if (event.target === link) hide();
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") hide();
  });
  /* The theme's previews are dialogs without a name. */
  new MutationObserver(changes => {
    for (const { addedNodes } of changes) {
      for (const each of addedNodes) if (each instanceof Element && each.matches("[role=dialog]:not([aria-label])")) each.setAttribute("aria-label", "Preview");
    }
  }).observe(document.body, { childList: true });

  addEventListener("scroll", place, { capture: true, passive: true });
  addEventListener("resize", place);
})();
