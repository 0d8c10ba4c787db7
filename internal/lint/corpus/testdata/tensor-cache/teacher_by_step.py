# Teacher outputs are remembered under the number of the step, which never comes again.
import torch
import torch.nn.functional as F


class Distiller:
    def __init__(self, student, teacher, temperature=2.0):
        self.student = student
        self.teacher = teacher.eval()
        self.T = temperature
        self.cache = {}
        self.step = 0

    def teacher_logits(self, x):
        if self.step not in self.cache:
            with torch.no_grad():
                self.cache[self.step] = self.teacher(x)  # finding: tensor-cache|kept-output
        return self.cache[self.step]

    def loss(self, x):
        target = (self.teacher_logits(x) / self.T).softmax(-1)
        self.step += 1
        return F.kl_div((self.student(x) / self.T).log_softmax(-1), target, reduction="batchmean")
