import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// The context of the code in FluxJSON's documentation.
struct FluxJSONContext {
  let before: JSON
  let after: JSON
  let state: JSON
}

/// The context of the code in FluxLog's documentation.
struct FluxLogContext {
  let header: LogHeader
  let time: LogTime
  let changes: [StepRecord.Change]
}

/// The context of the code in FluxReplay's documentation: a log, and the app that replays it.
struct FluxReplayContext {
  let timeline: Timeline
  let app: any ReplayApp
}

/// The context of the code in FluxCommands's documentation.
struct FluxCommandsContext {
  let results: ByteSink
  let diagnostics: ByteSink
  let session: Session
}

/// The context of the code in FluxInspector's documentation.
struct FluxInspectorContext {
  let session: Session
}
