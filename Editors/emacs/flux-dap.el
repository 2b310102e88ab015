;;; flux-dap.el --- Step through Flux recordings with dap-mode or dape -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1"))

;;; Commentary:

;; With dap-mode: (require 'flux-dap), then M-x flux-dap-open.
;; With dape: the same file adds the configuration `flux'.

;;; Code:

(defgroup flux-dap nil
  "Step through recordings of Flux-style apps."
  :group 'tools)

(defcustom flux-dap-executable "flux-inspect"
  "The flux-inspect program."
  :type 'string)

(defvar dape-configs)
(declare-function dap-register-debug-provider "dap-mode")
(declare-function dap-debug "dap-mode")

(defun flux-dap--provide (configuration)
  "Complete CONFIGURATION with the program that serves the protocol."
  (plist-put configuration :dap-server-path (list flux-dap-executable "dap")))

(with-eval-after-load 'dap-mode
  (dap-register-debug-provider "flux" #'flux-dap--provide))

(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               `(flux
                 modes (swift-mode swift-ts-mode js-json-mode)
                 command ,flux-dap-executable
                 command-args ("dap")
                 :type "flux"
                 :request "launch"
                 :program (lambda () (read-file-name "Log: "))
                 :sourceRoots (lambda () (vector (expand-file-name default-directory))))))

;;;###autoload
(defun flux-dap-open (log &optional root)
  "Step through the recording LOG, with the sources below ROOT."
  (interactive "fLog: \nDSources: ")
  (require 'dap-mode)
  (dap-debug
   (list :type "flux"
         :request "launch"
         :name "Flux recording"
         :program (expand-file-name log)
         :sourceRoots (vector (expand-file-name (or root default-directory))))))

(provide 'flux-dap)
;;; flux-dap.el ends here
