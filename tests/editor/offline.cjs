// Keeps the language server from the network, and tells on standard error what it would have reached.
"use strict";
const { writeSync } = require("node:fs");
const { Socket } = require("node:net");

Socket.prototype.connect = function (...told) {
  const [to] = told.flat();
  writeSync(2, `connects to ${to.host ?? to.path}\n`);
  throw new Error("There is no network here.");
};
