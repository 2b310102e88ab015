package import FluxInspector

extension Services {
  /// Creates services with the interruption and progress of a running command, and the files of the machine.
  package init(_ command: RunningCommand) {
    self.init()
    isInterrupted = { command.isInterrupted }
    progress = { command.show($0) }
    pause = { command.pause($0) }
    files = SystemFiles()
  }
}
