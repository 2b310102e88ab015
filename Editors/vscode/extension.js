// @ts-check
"use strict";

const vscode = require("vscode");
const fs = require("fs");
const path = require("path");

/**
 * The executable: that of the settings, one that the workspace has built, or the one on PATH.
 *
 * @param {import("vscode").WorkspaceFolder | undefined} folder
 * @returns {string}
 */
function executable(folder) {
  const given = vscode.workspace.getConfiguration("flux-inspect", folder).get("executable");
  if (typeof given === "string" && given !== "") return given;
  const builds = folder ? ["release", "debug"].map((name) => path.join(folder.uri.fsPath, ".build", name, "flux-inspect")) : [];
  return builds.find((file) => fs.existsSync(file)) ?? "flux-inspect";
}

/**
 * Registers the debugger of recordings.
 *
 * @param {import("vscode").ExtensionContext} context
 */
function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("flux", {
      createDebugAdapterDescriptor(session) {
        const folder = session.workspaceFolder;
        const options = folder ? { cwd: folder.uri.fsPath } : undefined;
        return new vscode.DebugAdapterExecutable(executable(folder), ["dap"], options);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider("flux", {
      /** Gives F5 without a configuration the log that is open. */
      resolveDebugConfiguration(folder, configuration) {
        if (configuration.type) return configuration;
        const file = vscode.window.activeTextEditor?.document.uri.fsPath;
        if (!file || !file.endsWith(".jsonl")) return configuration;
        const roots = folder ? [folder.uri.fsPath] : [path.dirname(file)];
        return { type: "flux", request: "launch", name: "Flux recording", program: file, sourceRoots: roots };
      },
    }),
  );
}

module.exports = { activate };
