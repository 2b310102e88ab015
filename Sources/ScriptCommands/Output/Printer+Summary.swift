import FluxSystem
import SystemPackage

extension Printer {
  /// Appends to the file that GitHub Actions names and has created; elsewhere there is none.
  func appendSummary(_ summary: String) throws {
    guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    let failure: SystemError?
    do throws(SystemError) {
      let file = try Descriptor(openingOrCreating: path, O_WRONLY | O_APPEND)
      failure = file.write(Array(summary.utf8)).failure
    } catch {
      failure = error
    }
    if let failure { throw Errno(rawValue: failure.code) }
  }
}
