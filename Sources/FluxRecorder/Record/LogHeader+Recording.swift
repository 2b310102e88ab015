import FluxCore
import FluxJSON
import FluxLog
import Foundation

extension LogHeader {
  /// Creates the header of a new log, without its stores.
  init(created: Date, seed: UInt64?, first: UInt64, app: App?, redacted: [String]) {
    let microseconds = (created.timeIntervalSince1970 * 1e6).rounded()
    self.init(
      log: UUID().uuidString.lowercased(), created: LogInstant(microseconds: Int64(microseconds)),
      seed: seed, first: first, app: app,
      platform: Platform(os: operatingSystem, swift: swiftVersion), redacted: redacted)
  }
}

extension LogHeader.Store {
  /// Describes a store with its redacted state before the first step.
  ///
  /// - Throws: `EncodingFailure` if the state cannot be encoded, and the errors of the redactor.
  init(
    name: String, type: String?, isFeature: Bool, state: (any Encodable)?, _ redactor: Redactor?
  ) throws {
    var initial: JSON?
    if let state {
      let json: JSON
      do {
        json = try LogEncoder().encode(state)
      } catch {
        throw EncodingFailure(store: name, why: EncodingFailure.reason(error))
      }
      initial = try redactor?.rewrite(.state(name), json) ?? json
    }
    self.init(name: name, type: type, isFeature: isFeature, initial: initial)
  }
}

private let operatingSystem: String = {
  #if os(Linux)
    "Linux"
  #elseif os(macOS)
    "macOS"
  #else
    ProcessInfo.processInfo.operatingSystemVersionString
  #endif
}()

private let swiftVersion: String = {
  #if swift(>=6.4)
    "6.4"
  #elseif swift(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}()
