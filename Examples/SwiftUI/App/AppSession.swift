#if canImport(SwiftUI)
  import FluxCore
  import FluxLog
  import FluxRecorder
  import Foundation
  import GroceriesExample
  import Observation

  /// The definition of the app for replays: fresh stores.
  ///
  /// Effects do not run in a replay.
  let groceries = AppDefinition(name: "Groceries", version: "1.0") { [GroceryStore()] }

  /// Owns what lives as long as the app: the dispatcher, its recorder, and in debug builds the host for an inspector.
  @MainActor @Observable final class AppSession {
    let list: StoreHandle<GroceryStore>
    /// The entries that views show.
    let items: Observed<[Grocery]>
    /// Why the newest recording cannot be shared; nil if it can.
    private(set) var problem: String?
    private let dispatcher: Dispatcher
    private let recorder: Recorder
    #if DEBUG
      private let host: AppHost
      /// The effect of attached inspectors on the app.
      var presentation: AppPresentation { host.presentation }
    #endif

    /// Creates a session that records each launch.
    init(_ recorder: Recorder = AppSession.recorder()) {
      let dispatcher = Dispatcher([GroceryStore()])
      (self.dispatcher, self.recorder) = (dispatcher, recorder)
      list = dispatcher.store(GroceryStore.self)
      items = list.observed(\.items)
      dispatcher.use(recorder)
      #if DEBUG
        host = AppHost(recorder, app: groceries, dispatcher: dispatcher)
      #endif
    }

    /// Creates the recorder of a launch, whose steps Instruments shows as intervals.
    nonisolated static func recorder() -> Recorder {
      var options = Recorder.Options()
      options.emitsSignposts = true
      return Recorder(in: .applicationSupport, name: "groceries", options: options)
    }

    /// Writes what was recorded so far.
    func flush() {
      report { try recorder.flush() }
    }

    /// Returns a file with the last ten minutes, to share.
    func export() -> URL? {
      let url = URL.temporaryDirectory.appending(path: "groceries-\(UUID()).jsonl")
      return report { try recorder.export(last: .minutes(10), to: url) } ? url : nil
    }

    @discardableResult
    private func report(_ call: () throws -> Void) -> Bool {
      do {
        try call()
        problem = nil
      } catch {
        problem = "\(error)"
      }
      return problem == nil
    }
  }
#endif
