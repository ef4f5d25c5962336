internal import CFiles
internal import Foundation
internal import MessageModel

/// Opens an address in the desktop's program, as a single argument and without a shell.
package enum LinkOpener {
  #if os(macOS)
    package static let program = "open"
  #else
    package static let program = "xdg-open"
  #endif

  private static let patience = Duration.seconds(2)

  /// Throws ``UsageError`` for an unsupported address, or if the program fails soon.
  package static func open(
    _ address: String, by program: String = program, isCancelled: () -> Bool
  ) throws(UsageError) {
    guard WebLinks.canBeOpened(address) else {
      throw UsageError(
        "that link is not opened", cause: "only http, https and mailto are", remedy: "/url LETTER copy")
    }
    var child: Int32 = -1
    let number = cfiles_run(program, address, &child)
    guard number == 0 else {
      throw UsageError(
        "cannot run \(program)", cause: String(cString: strerror(number)), remedy: "/url LETTER copy")
    }
    let end = ContinuousClock.now + patience
    while .now < end, !isCancelled() {
      let status = cfiles_ended(child)
      if status == 0 { return }
      guard status < 0 else {
        throw UsageError(
          "\(program) could not open it", cause: "it ended with status \(status)", remedy: "/url LETTER copy")
      }
      usleep(20_000)
    }
  }
}
