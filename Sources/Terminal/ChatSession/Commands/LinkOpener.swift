internal import CFiles
internal import Foundation
internal import MessageModel

/// Has the desktop open an address: one argument of one program, and no shell.
package enum LinkOpener {
  #if os(macOS)
    package static let program = "open"
  #else
    package static let program = "xdg-open"
  #endif

  /// The time for which the program is watched for a failure.
  private static let patience = Duration.seconds(2)

  /// Opens an address.
  ///
  /// - Throws: ``UsageError`` if it is none that is followed, or the program fails soon.
  package static func open(
    _ address: String, by program: String = program, isCancelled: () -> Bool
  ) throws(UsageError) {
    guard WebLinks.canBeOpened(address) else {
      throw UsageError(
        "that link is not opened", cause: "only http, https and mailto are", remedy: "/url HANDLE copy")
    }
    var child: Int32 = -1
    let number = cfiles_run(program, address, &child)
    guard number == 0 else {
      throw UsageError(
        "cannot run \(program)", cause: String(cString: strerror(number)), remedy: "/url HANDLE copy")
    }
    let end = ContinuousClock.now + patience
    while .now < end, !isCancelled() {
      let status = cfiles_ended(child)
      if status == 0 { return }
      guard status < 0 else {
        throw UsageError(
          "\(program) could not open it", cause: "it ended with status \(status)", remedy: "/url HANDLE copy")
      }
      usleep(20_000)
    }
  }
}
