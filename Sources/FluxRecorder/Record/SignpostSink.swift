#if canImport(os)
  import os

  /// Emits intervals as signposts, which Instruments shows in its os_signpost instrument under `FluxRecorder`.
  struct SignpostSink: Sendable {
    private let steps = OSSignposter(subsystem: "FluxRecorder", category: "Steps")
    private let effects = OSSignposter(subsystem: "FluxRecorder", category: "Effects")

    @Sendable func begin(_ interval: AppInterval) -> @Sendable (String) -> Void {
      // Types of actions and names of effects are no secrets; a recorder writes them as they are, too.
      switch interval {
      case .step(let number, let type):
        let id = steps.makeSignpostID()
        _ = steps.beginInterval("Step", id: id, "\(number) \(type, privacy: .public)")
        return { [steps] result in
          steps.endInterval("Step", .beginState(id: id), "\(result, privacy: .public)")
        }
      case .effect(let name, let cause):
        let id = effects.makeSignpostID()
        _ = effects.beginInterval(
          "Effect", id: id, "\(name, privacy: .public) of step \(cause)")
        return { [effects] result in
          effects.endInterval("Effect", .beginState(id: id), "\(result, privacy: .public)")
        }
      }
    }
  }
#endif
