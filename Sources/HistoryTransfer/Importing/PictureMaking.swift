package import MessageModel
package import MessageStorage
internal import Synchronization

/// The maker of thumbnails and previews in this program, if there is one: the libraries for that are optional.
package enum PictureMaking {
  private static let chosen = Mutex<(any PictureMaker)?>(nil)

  /// Chooses who makes pictures, once at the start.
  package static func use(_ maker: any PictureMaker) { chosen.withLock { $0 = maker } }

  /// The maker of pictures; `nil` if there is none.
  package static var maker: (any PictureMaker)? { chosen.withLock { $0 } }

  /// Makes the small pictures that are missing in a store. An error is not told: the pictures wait for the next time.
  package static func makePictures(in store: SynchronousMessageStore, isCancelled: () -> Bool = { false }) {
    guard let maker else { return }
    _ = try? store.makePictures(by: maker) { _ in !isCancelled() }
  }
}
