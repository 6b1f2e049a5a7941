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

  let left = new Map(); /* for each entry of the history: how its page was left */
  let origins = new Map(); /* for each entry reached by a link: where that link was */
  let pending = null; /* the link just followed, until its page is there */
  let path = location.pathname; /* of the page in the document, which the address is ahead of while pages change */
  let current = entry();
  let wanted = null; /* how the page to come was left */
  let returned = null; /* the link to which the reader comes back */

  function recall() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT)) || {};
      left = new Map(kept.left);
      origins = new Map(kept.origins);
      pending = kept.pending || null;
      return kept.current;
    } catch {
      return undefined; /* storage is closed to this page: the way back ends where pages are loaded whole */
    }
  }

  function keep() {
    const newest = map => [...map].slice(-MOST);
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ left: newest(left), origins: newest(origins), pending, current }));
    } catch {
      /* as above */
    }
  }

  const inArticle = selector => [...document.querySelectorAll(`.md-content__inner ${selector}`)];
  const linksOfArticle = () => inArticle("a[href]:not(.rw-owners a, .rw-back a)");
  const folds = () => inArticle("details:not(.rw-facet)");
  const boxes = () => inArticle(":is(.rw-table, .rw-drawing__box, .rw-matrix__box)");

  /* How the page stands: how far it and the boxes in it are scrolled, and what is unfolded. */
  function note(key, top = scrollY) {
    left.delete(key);
    left.set(key, {
      top,
      open: folds().flatMap((each, at) => (each.open ? [at] : [])),
      boxes: boxes().flatMap(({ scrollLeft, scrollTop }, at) => (scrollLeft || scrollTop ? [[at, scrollLeft, scrollTop]] : [])),
    });
  }

  function restore({ top, open, boxes: scrolled }) {
    for (const [at, each] of folds().entries()) each.open = open.includes(at);
    const all = boxes();
    for (const [at, x, y] of scrolled) all[at]?.scrollTo({ left: x, top: y, behavior: "instant" });
    scrollTo({ top, behavior: "instant" });
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
    const link = event.target instanceof Element && event.target.closest("a[href]");
    if (!link || isAside(event) || isElsewhere(link) || link.href === location.href) return;
    note(entry());
    pending = link.matches(FOLLOWED) ? { to: link.href, from: departure(link, event.detail === 0) } : null;
    keep();
    setTimeout(() => { if (location.pathname === path && location.href === link.href) settle(); }); /* on the same page */
  }, true);

  function departure(link, byKey) {
    const { name, anchor } = placeOf(link, link.closest(".md-content__inner"));
    const here = new URL(location.href);
    here.hash = anchor;
    const top = link.getBoundingClientRect().top;
    return { name, href: here.href, key: entry(), link: link.href, at: linksOfArticle().indexOf(link), top, byKey };
  }

  /* What the link led to is there: remember where it was, for as long as the history does. */
  function arrive() {
    if (pending && new URL(pending.to).pathname === location.pathname && pending.from.key !== entry()) {
      origins.delete(entry());
      origins.set(entry(), pending.from);
    }
    pending = null;
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

  /* The link by which the page was left stands where it stood, and is shown for a moment; who left it by keyboard goes
     on from there. */
  function show(from) {
    const links = linksOfArticle();
    const isSame = links[from.at]?.href === from.link;
    const link = isSame ? links[from.at] : links.find(each => each.href === from.link);
    if (!link) return;
    if (isSame && !link.closest("[hidden]")) scrollBy({ top: link.getBoundingClientRect().top - from.top, behavior: "instant" });
    link.classList.add("rw-returned");
    setTimeout(() => link.classList.remove("rw-returned"), 3000);
    if (from.byKey) link.focus({ preventScroll: true });
  }

  const whereFrom = key => (origins.get(key)?.key === entry() ? origins.get(key) : null);

  /* The browser may scroll before it tells of a step in the history: what it scrolled by then is not how the page was left. */
  let scrolled = scrollY;
  addEventListener("scroll", () => {
    if (location.pathname === path) scrolled = scrollY;
  }, { passive: true });

  addEventListener("popstate", () => {
    if (current !== entry()) note(current, scrolled);
    returned = whereFrom(current);
    wanted = left.get(entry()) || null;
    if (location.pathname === path) setTimeout(arrived);
  });
  addEventListener("hashchange", () => settle());
  addEventListener("pagehide", () => {
    if (location.pathname === path) note(entry());
    keep();
  });
  addEventListener("pageshow", event => {
    if (!event.persisted) return;
    const last = recall(); /* the page comes back as it was left, and knows nothing of what was on the way */
    pending = null;
    returned = whereFrom(last);
    settle();
  });

  function settle() {
    arrive();
    current = entry();
    keep();
    offer();
    if (returned) show(returned);
    returned = null;
  }

  /* The page is there, with its bars. */
  function arrived() {
    if (wanted) restore(wanted);
    wanted = null;
    settle();
  }

  function setUp() {
    path = location.pathname;
    const here = entry();
    /* the theme scrolls, and tables get their bars, before the next frame */
    requestAnimationFrame(() => { if (here === entry()) arrived(); });
  }

  const last = recall();
  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") {
    wanted = left.get(entry()) || null;
    returned = whereFrom(last);
  }
  if (window.document$) window.document$.subscribe(setUp);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", setUp);
  else setUp();
})();
