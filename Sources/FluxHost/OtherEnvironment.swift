import FluxLog
import FluxReplay
import FluxSystem
import Foundation

/// An environment for an app's processes that differs from that of this process wherever a reducer might look.
///
/// The working folder, the home folder and the folder for temporary files are new and empty. The time zone has another
/// local day, and the locale other rules. The hash seed differs in each process, unless the environment fixes it.
final class OtherEnvironment: Sendable {
  /// The working folder, which is removed with this object.
  let folder: String
  /// The variables to change; nil removes one.
  let variables: [String: String?]
  /// The arguments to add.
  let arguments: [String]

  private let folders: [String]

  /// Describes an environment whose local day differs at a moment; nothing is created yet.
  ///
  /// Foundation on Apple's systems ignores `HOME`, and takes the locale from the user's preferences, which arguments
  /// override.
  init(at instant: LogInstant, usesPreferences: Bool = localeIsPreference) {
    let root = FileManager.default.temporaryDirectory.appending(
      path: "flux-inspect-\(UUID().uuidString)")
    folder = root.path(percentEncoded: false)
    folders = ["home", "temporary"].map { root.appending(path: $0).path(percentEncoded: false) }
    let locale = Self.locale(
      besides: ProcessInfo.processInfo.environment,
      preferred: usesPreferences ? Locale.current.identifier : "")
    variables = [
      "HOME": folders[0], "CFFIXED_USER_HOME": folders[0], "TMPDIR": folders[1],
      "TZ": Self.timeZone(at: instant, besides: .current), "LANG": "\(locale).UTF-8",
      "LC_ALL": "\(locale).UTF-8", "SWIFT_DETERMINISTIC_HASHING": nil,
    ]
    arguments =
      usesPreferences
      ? ["-AppleLocale", locale, "-AppleLanguages", "(\(locale.prefix(2)))"] : []
  }

  /// Creates the folders, if they do not exist.
  func createFolders() throws(ReplayFailure) {
    for folder in folders {
      do throws(SystemError) {
        try PrivateFolder.create(folder)
      } catch {
        let why = "its second process needs a folder: \(error.text(about: folder))"
        throw ReplayFailure(.cannotStart(why: why))
      }
    }
  }

  deinit {
    // A process that outlives its session may still write there; what is left is in the folder for temporary files.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns a time zone in which the local day is another one; the two ends of the date line never share a day.
  static func timeZone(at instant: LogInstant, besides zone: TimeZone) -> String {
    let seconds = Double(instant.microseconds) / 1e6
    func day(_ offset: Int) -> Double { ((seconds + Double(offset)) / 86_400).rounded(.down) }
    let here = day(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
    return here == day(14 * 3600) ? "Etc/GMT+12" : "Pacific/Kiritimati"
  }

  /// Returns a locale with another decimal separator and other rules for upper case, or a second one besides that.
  static func locale(besides environment: [String: String], preferred: String = "") -> String {
    let current = environment["LC_ALL"] ?? environment["LANG"] ?? ""
    return [current, preferred].contains { $0.hasPrefix("tr") } ? "de_DE" : "tr_TR"
  }
}
