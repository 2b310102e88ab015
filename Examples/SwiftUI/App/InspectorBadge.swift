#if canImport(SwiftUI)
  import FluxRecorder
  import SwiftUI

  /// Says that an inspector shows a recorded step in the app, or that the app ignores its user.
  struct InspectorBadge: View {
    let presentation: AppPresentation

    var body: some View {
      if presentation.isPresenting {
        Text(presentation.summary).padding().background(.yellow, in: Capsule())
      }
    }
  }
#endif
