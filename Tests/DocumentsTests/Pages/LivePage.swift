import FluxCore
import FluxRecorder
import Foundation

/// Starts a host as docs/live.md shows it.
func startHost(_ dispatcher: Dispatcher, to url: URL) {
  let recorder = Recorder(to: url)
  dispatcher.use(recorder)
  #if DEBUG
    let host = LiveHost(dispatcher, recorder)
    host.stop()
  #endif
  _ = LiveHost(dispatcher, recorder, allows: [.watch])
}
