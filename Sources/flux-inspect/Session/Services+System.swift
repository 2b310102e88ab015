import FluxInspector

extension Services {
  /// What the machine gives: interruption and progress of what runs, files and a shell.
  init(_ command: RunningCommand) {
    self.init()
    isInterrupted = { command.isInterrupted }
    progress = { command.show($0) }
    pause = { command.pause($0) }
    files = SystemFiles()
    shell = SystemShell()
  }
}
