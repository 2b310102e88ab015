import FluxSystem
import FluxTerminal
import Foundation

/// Decompresses Zstandard files with the program `zstd`.
struct Zstandard {
  /// The reason why the program did not decompress a file.
  struct Problem: Error {
    let message: String
  }

  /// The bytes that a file begins with.
  static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  /// The environment of the program; its PATH leads to it.
  let environment: [String: String]

  /// Decompresses a file that is open, at its beginning; `write` receives the output, piece by piece.
  ///
  /// - Throws: ``Problem``, and the errors of `write`.
  func run(_ file: Descriptor, _ write: (ArraySlice<UInt8>) throws -> Void) throws {
    guard let program else {
      throw Problem(
        message:
          "the log is compressed with zstd, and PATH has no program zstd; install it, or decompress the log "
          + "on another machine")
    }
    var (process, output): (ForegroundProcess, Descriptor?)
    do throws(SystemError) {
      let pipe = try Descriptor.pipe(isWrittenHere: false)
      process = try ForegroundProcess(
        [program, "--decompress", "--stdout", "--quiet", "-"], environment: environment,
        input: file,
        output: pipe.writing)
      output = pipe.reading
    } catch {
      throw Problem(message: "cannot run \(program): \(systemMessage(error.code))")
    }
    let result = Result {
      while let output, case .bytes(let bytes) = output.receive() { try write(bytes[...]) }
    }
    // The program ends at its next write if it is still running.
    output = nil
    let status = try process.wait()
    try result.get()
    guard status == 0 else {
      throw Problem(
        message: "the compressed data is damaged: \(program) ended with status \(status)")
    }
  }

  /// The path of the program; nil if there is none in PATH.
  private var program: String? {
    environment.program("zstd") { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
