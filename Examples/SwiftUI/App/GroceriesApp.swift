#if canImport(SwiftUI)
  import FluxRecorder
  import SwiftUI

  /// Starts the app, or serves its stores: `flux-inspect` starts an app for macOS, or one in a simulator, to replay in it.
  @main enum Main {
    @MainActor static func main() {
      ReplayHost.runIfRequested(groceries)
      GroceriesApp.main()
    }
  }

  struct GroceriesApp: App {
    @State private var session = AppSession()
    @Environment(\.scenePhase) private var scenePhase

    var body: some Scene {
      WindowGroup {
        GroceryList(session)
      }
      .onChange(of: scenePhase) { _, phase in
        // The system may end an app in the background without a word.
        if phase == .background { session.flush() }
      }
    }
  }
#endif
