/* The way back. Who follows a link on a page is offered the way back to the very place of that link, and finds the
   page there as it was left, whether by this offer or by the browser's own Back.

   The theme keeps a page's scroll position with its entry in the history, and writes it there a moment after the
   scrolling: on a slow machine it writes that of the page just left into the entry of the page to come. */
"use strict";
(() => {
  const KEPT = "recordweave.return";
  const MOST = 50;
  const { navigation } = window;
  const entry = () => navigation?.currentEntry?.key ?? location.pathname;

  const positions = new Map(); /* where each entry of the history was left, for the pages of one load */
  let origins = new Map(); /* for each entry reached by a link: where that link was */
  let pending = null; /* the link just followed, until its page is there */
  let path = location.pathname; /* of the page in the document, which the address is ahead of while pages change */
  let position; /* to be restored when the page is there */
  let returned = null; /* the link to which the reader comes back */

  function recall() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT)) || {};
      origins = new Map(kept.origins);
      pending = kept.pending || null;
    } catch {
      /* storage is closed to this page: the way back ends where pages are loaded whole */
    }
  }

  function keep() {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ origins: [...origins].slice(-MOST), pending }));
    } catch {
      /* as above */
    }
  }

  const words = element => {
    const copy = element.cloneNode(true);
    for (const each of copy.querySelectorAll(".headerlink")) each.remove();
    return copy.textContent.replace(/\s+/g, " ").trim();
  };

  /* The page, the heading above a link, and the row it stands in, as a reader would name them. */
  function placeOf(link, article) {
    const title = article.querySelector("h1 > .rw-id") || article.querySelector("h1");
    const above = [...article.querySelectorAll(":is(h2, h3, h4, h5)[id]")]
      .filter(each => each.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING && !each.contains(link));
    const row = link.closest(".rw-row[data-number]");
    const heading = above.at(-1);
    const label = heading && (heading.querySelector(".rw-ref") || heading);
    return {
      name: [title && words(title), label && words(label), row && `row ${row.dataset.number}`].filter(Boolean).join(", "),
      anchor: link.id || link.closest("[id]:not(article)")?.id || heading?.id || "",
    };
  }

  const isElsewhere = link => link.origin !== location.origin || link.target || link.hasAttribute("download");
  const isAside = event => event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const FOLLOWED = ".md-content__inner a[href]:not(.headerlink, .rw-permalink, .rw-mark, .rw-back a, .rw-beside a, .footnote-ref, .footnote-backref, .md-content__button)";

  /* Before the theme hears of the click, which gives the address of what is to come to the page that is there. */
  document.addEventListener("click", event => {
    const link = event.target instanceof Element && event.target.closest(FOLLOWED);
    if (!link || isAside(event) || isElsewhere(link) || link.href === location.href) return;
    const article = link.closest(".md-content__inner");
    const { name, anchor } = placeOf(link, article);
    const here = new URL(location.href);
    here.hash = anchor;
    const links = [...article.querySelectorAll("a[href]")];
    pending = {
      to: link.href,
      from: { name, href: here.href, key: entry(), link: link.href, at: links.indexOf(link), byKey: event.detail === 0 },
    };
    keep();
    setTimeout(() => { if (location.pathname === path && location.href === link.href) settle(); }); /* on the same page */
  }, true);

  /* What the link led to is there: remember where it was, for as long as the history does. */
  function arrive() {
    if (pending && pending.to === location.href && pending.from.key !== entry()) {
      origins.delete(entry());
      origins.set(entry(), pending.from);
    }
    if (pending) {
      pending = null;
      keep();
    }
  }

  function offer() {
    for (const each of document.querySelectorAll(".rw-back")) each.remove();
    const from = origins.get(entry());
    const article = document.querySelector(".md-content__inner");
    if (!from || !article) return;
    const box = document.createElement("p");
    box.className = "rw-back";
    const link = document.createElement("a");
    link.href = from.href;
    link.textContent = `Back to ${from.name || "where you were"}`;
    link.addEventListener("click", event => {
      if (isAside(event)) return;
      if (!navigation?.entries().some(each => each.key === from.key)) return;
      event.preventDefault();
      event.stopPropagation();
      navigation.traverseTo(from.key);
    });
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "×";
    close.setAttribute("aria-label", "Do not offer the way back");
    close.addEventListener("click", () => {
      origins.delete(entry());
      keep();
      box.remove();
    });
    box.append(link, close);
    article.prepend(box);
  }

  /* The link by which the page was left is shown for a moment; who left it by keyboard goes on from there. */
  function show(from) {
    const links = [...document.querySelectorAll(".md-content__inner a[href]")];
    const link = links[from.at]?.href === from.link ? links[from.at] : links.find(each => each.href === from.link);
    if (!link) return;
    link.classList.add("rw-returned");
    setTimeout(() => link.classList.remove("rw-returned"), 3000);
    if (from.byKey) link.focus({ preventScroll: true });
  }

  addEventListener("scroll", () => {
    if (location.pathname === path) positions.set(entry(), scrollY);
  }, { passive: true });

  let current = entry();
  addEventListener("popstate", () => {
    returned = origins.get(current)?.key === entry() ? origins.get(current) : null;
    position = location.pathname === path ? undefined : positions.get(entry());
    current = entry();
    if (location.pathname === path) setTimeout(settle);
  });
  addEventListener("hashchange", () => settle());

  function settle() {
    arrive();
    current = entry();
    offer();
    if (returned) show(returned);
    returned = null;
  }

  function setUp() {
    path = location.pathname;
    const wanted = position;
    position = undefined;
    /* the theme scrolls, and tables get their bars, before the next frame */
    requestAnimationFrame(() => {
      if (wanted !== undefined && location.pathname === path) scrollTo({ top: wanted, behavior: "instant" });
      settle();
    });
  }

  recall();
  if (window.document$) window.document$.subscribe(setUp);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", setUp);
  else setUp();
})();
